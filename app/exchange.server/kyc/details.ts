import type { KycApplication } from "../../api/contract";
import type { ExchangeConfig } from "../context";
import { deriveKey, seal, unseal } from "../secrets";

const toKey = ({ secret }: ExchangeConfig) => deriveKey(secret, "kyc-details");

/** Encrypts the details of the application `id`. They can only be read again with the same `id`. */
export function sealDetails(config: ExchangeConfig, id: string, application: KycApplication): string {
  return seal(toKey(config), JSON.stringify(application), id);
}

/**
 * Decrypts the details of a stored application. Null if they cannot be read, because they were encrypted with another
 * secret, were changed, or belong to another application.
 */
export function tryUnsealDetails(config: ExchangeConfig, row: { id: string; details: string }): KycApplication | null {
  try {
    return JSON.parse(unseal(toKey(config), row.details, row.id)) as KycApplication;
  } catch {
    return null;
  }
}
