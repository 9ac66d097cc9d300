import { z } from "zod";
import type { AddressType } from "../lib/assets";
import { userRetries } from "../lib/constants";
import * as contract from "./contract";
import type { Transport } from "./transport";
import { walkPages } from "./walk-pages";

/** The calls about the signed-in user: identity, saved addresses, passkeys and sessions. */
export function accountCalls({ send, read, toContractError }: Transport) {
  const removeAt = async (path: string): Promise<void> => {
    await send({ method: "DELETE", path });
  };

  return {
    /** C02: the account of the access token. */
    getCurrentUser: () => read(contract.userSchema, { path: "/api/users/me", retries: userRetries }),
    /** All of the user's saved addresses, newest first, optionally of one type. */
    async listAddresses(type?: AddressType): Promise<contract.DeliveryAddress[]> {
      const path = "/api/swap/delivery-addresses";
      const page = contract.pageSchema(contract.deliveryAddressSchema);
      const found: contract.DeliveryAddress[] = [];
      const pages = walkPages(
        100,
        (cursor) => read(page, { path, search: { limit: 100, cursor } }),
        (cause) => toContractError({ path }, cause),
      );
      for await (const items of pages) found.push(...items);
      return type === undefined ? found : found.filter((item) => item.type === type);
    },
    /** Validates and saves an address. */
    addAddress: (request: contract.DeliveryAddressRequest) =>
      read(contract.deliveryAddressSchema, { method: "POST", path: "/api/swap/delivery-addresses", json: request }),
    /** The Ethereum address of a name such as alice.eth. Rejects with 404 if the exchange does not look up names. */
    findEnsAddress: (name: string) =>
      read(contract.ensNameSchema, { method: "POST", path: "/api/swap/ens-names", json: { name } }),
    /** Removes a saved address. Existing orders keep it. */
    removeAddress: (id: string) => removeAt(`/api/swap/delivery-addresses/${encodeURIComponent(id)}`),

    /** Which e-mails about swaps the user gets. */
    getMailPreferences: () => read(contract.mailPreferencesSchema, { path: "/api/users/me/mail-preferences" }),
    /** Turns e-mails about swaps on or off. */
    setMailPreferences: (change: contract.MailPreferencesChange) =>
      read(contract.mailPreferencesSchema, { method: "PATCH", path: "/api/users/me/mail-preferences", json: change }),

    /** Everything that the exchange stores about the user, as a zip. Not retried, because attempts are counted. */
    exportData: () =>
      send({ path: "/api/users/me/export", retries: 0, isStream: true, headers: { accept: "application/zip" } }),
    /** The user's price alerts, newest first. */
    async listPriceAlerts(): Promise<contract.PriceAlert[]> {
      return (await read(listOf(contract.priceAlertSchema), { path: "/api/users/me/price-alerts" })).items;
    },
    /** Sets an alert: the user gets one e-mail when 1 MOB costs more or less than a rate. */
    addPriceAlert: (request: contract.PriceAlertRequest) =>
      read(contract.priceAlertSchema, { method: "POST", path: "/api/users/me/price-alerts", json: request }),
    /** Removes a price alert. */
    removePriceAlert: (id: string) => removeAt(`/api/users/me/price-alerts/${encodeURIComponent(id)}`),

    /** The versions of the operator's documents that the user has accepted, newest first. */
    async listConsents(): Promise<contract.Consents["items"]> {
      return (await read(contract.consentsSchema, { path: "/api/users/me/consents" })).items;
    },
    /** Records that the user accepts versions of the operator's documents. */
    recordConsents: (request: contract.ConsentRequest) =>
      read(contract.consentsSchema, { method: "POST", path: "/api/users/me/consents", json: request }),
    /** The key with which a browser subscribes to notifications. */
    getPushKey: () => read(contract.pushKeySchema, { path: "/api/users/me/push-key" }),
    /** Sends notifications about the user's swaps to a browser, until this session ends. */
    async addPushSubscription(request: contract.PushSubscriptionRequest): Promise<void> {
      await send({ method: "POST", path: "/api/users/me/push-subscriptions", json: request });
    },

    /** What deleting the account would do now, and what prevents it. */
    getDeletion: () => read(contract.deletionSchema, { path: "/api/users/me/deletion" }),
    /** Deletes the account permanently. */
    async deleteAccount(proof?: contract.DeletionRequest["proof"]): Promise<void> {
      const json = { confirm: "delete my account", ...(proof && { proof }) } satisfies contract.DeletionRequest;
      await send({ method: "POST", path: "/api/users/me/deletion", json });
    },

    /** The state of the user's identity verification. */
    getKyc: () => read(contract.kycSchema, { path: "/api/kyc" }),
    /** Submits an application for identity verification. */
    submitKyc: (application: contract.KycApplication) =>
      read(contract.kycSchema, { method: "POST", path: "/api/kyc", json: application }),

    /** The user's newest 100 passkeys. After recoveries, an account may have more than 20. */
    async listPasskeys(): Promise<contract.Passkey[]> {
      return (await read(listOf(contract.passkeySchema), { path: "/api/users/me/passkeys", search: { limit: 100 } }))
        .items;
    },
    /** Renames a passkey. */
    renamePasskey: (id: string, name: string) =>
      read(contract.passkeySchema, {
        method: "PATCH",
        path: `/api/users/me/passkeys/${encodeURIComponent(id)}`,
        json: { name },
      }),
    /** Removes a passkey and ends the sessions that it signed in. */
    removePasskey: (id: string) => removeAt(`/api/users/me/passkeys/${encodeURIComponent(id)}`),
    /** The user's newest 100 active sessions. */
    async listSessions(): Promise<contract.Session[]> {
      return (await read(listOf(contract.sessionSchema), { path: "/api/users/me/sessions", search: { limit: 100 } }))
        .items;
    },
    /** Ends one session. */
    endSession: (id: string) => removeAt(`/api/users/me/sessions/${encodeURIComponent(id)}`),
    /** Ends every session of the user except the access token's. */
    endOtherSessions: () => removeAt("/api/users/me/sessions"),
  };
}

const listOf = <T extends z.ZodTypeAny>(item: T) => z.object({ items: z.array(item) });
