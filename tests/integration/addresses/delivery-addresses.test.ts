import { readFileSync } from "node:fs";
import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { selectOwnAddress } from "~/exchange.server/addresses/delivery-addresses";
import { encodeMobAddress, parseMobAddress } from "~/exchange.server/addresses/mob-address";
import { deliveryAddresses } from "~/exchange.server/db/schema/addresses";
import { orders } from "~/exchange.server/db/schema/orders";
import { quotes } from "~/exchange.server/db/schema/quotes";
import { newId, newQuoteId } from "~/exchange.server/ids";
import { createAccountKeys } from "~/sandbox.server/mobilecoin/keys";
import { testDatabases } from "../../support/test-database";
import { startAddressApi } from "./address-api";

const vectors = JSON.parse(readFileSync("tests/vectors/mobilecoin-addresses.json", "utf8"));
const plain: string = vectors.valid_without_fog[0].b58;
const withFog: string = vectors.valid_with_fog[0].b58;
const checksummed = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
const toMob = (n: number) => createAccountKeys("tests").toAddress(BigInt(n));

describe("T19 a MOB address with an unknown Fog server", () => {
  it("is refused with a message for the customer, but one without Fog or with a known server is saved", async () => {
    const addressApi = await startAddressApi("PGlite", { fogServers: ["fog://fog-rpt-prd.namda.net"] });
    const me = await addressApi.makeAccount();
    const add = (address: string) => addressApi.call(me, "POST", "", { type: "MOB", address, label: "" });
    expect(await add(withFog)).toMatchObject({
      status: 422,
      body: { detail: { code: "address_invalid", message: expect.stringContaining("Fog server") } },
    });
    expect((await add(plain)).status).toBe(201);
    expect((await add(vectors.shape_only[0].b58)).status).toBe(201);
    await addressApi.close();
  });
});

describe.each(testDatabases)("delivery addresses on %s", (kind) => {
  let addressApi: Awaited<ReturnType<typeof startAddressApi>>;
  beforeAll(async () => {
    addressApi = await startAddressApi(kind, { maxAddresses: 12 });
  });
  afterAll(() => addressApi.close());

  const add = (accountId: string, type: string, address: string, label?: string) =>
    addressApi.call(accountId, "POST", "", { type, address, label });
  const list = async (accountId: string, query = "") => {
    const { body } = await addressApi.call(accountId, "GET", query);
    return (body.items as { address: string; label: string; id: string }[]) ?? [];
  };

  it("K02 saves a MOB and an ETH address and lists them newest first, optionally by type (R10)", async () => {
    const me = await addressApi.makeAccount();
    const mob = await add(me, "MOB", `mob:///b58/${plain}`, " My Signal ");
    expect(mob).toMatchObject({ status: 201, body: { type: "MOB", address: plain, label: "My Signal" } });
    expect(await add(me, "ETH", checksummed.toLowerCase())).toMatchObject({
      status: 201,
      body: { type: "ETH", address: checksummed, label: "" },
    });
    expect((await list(me)).map((row) => row.address)).toEqual([checksummed, plain]);
    expect((await list(me, "?type=MOB")).map((row) => row.address)).toEqual([plain]);
    expect((await addressApi.call(me, "GET", "?type=BTC")).status).toBe(422);
  });

  it("returns the existing row for the same address, with its label unchanged", async () => {
    const me = await addressApi.makeAccount();
    const first = await add(me, "MOB", plain, "first");
    expect(await add(me, "MOB", withFog, "second")).toEqual({ status: 200, body: first.body });
    const eth = await add(me, "ETH", checksummed, "eth");
    expect(await add(me, "ETH", checksummed.toLowerCase(), "again")).toEqual({ status: 200, body: eth.body });
    expect(await list(me)).toHaveLength(2);
    const other = await addressApi.makeAccount();
    expect((await add(other, "MOB", plain)).status).toBe(201);
  });

  it("refuses invalid addresses with a message that does not repeat them (T49)", async () => {
    const me = await addressApi.makeAccount();
    for (const { b58 } of [...vectors.invalid, ...vectors.policy]) {
      const response = await add(me, "MOB", b58);
      const { detail } = response.body;
      expect([response.status, detail?.code]).toEqual([422, "address_invalid"]);
      expect(detail).toHaveProperty("fields", { address: detail?.message });
      expect(JSON.stringify(response.body)).not.toContain(b58.slice(0, 12));
    }
    expect((await add(me, "MOB", checksummed)).body.detail?.message).toMatch(/Ethereum address/);
    expect((await add(me, "ETH", plain)).status).toBe(422);
    expect((await add(me, "ETH", checksummed.replace("a", "A"))).status).toBe(422);
    expect((await add(me, "ETH", "0x0000000000000000000000000000000000000000")).status).toBe(422);
    expect((await add(me, "BTC", plain)).status).toBe(422);
    expect(await list(me)).toEqual([]);
  });

  it("refuses the token's contract and the exchange's own funding addresses in any form (T53)", async () => {
    const me = await addressApi.makeAccount();
    const [fundingMob, fundingEth] = [toMob(77), "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359"];
    await makeOrder("MOB", fundingMob);
    await makeOrder("USDT", fundingEth);
    const keys = Buffer.from(parseMobAddress(fundingMob).canonical, "hex");
    const withFogData = encodeMobAddress({
      viewPublicKey: keys.subarray(0, 32),
      spendPublicKey: keys.subarray(32),
      fogReportUrl: "fog://example.com",
    });
    for (const [type, address] of [
      ["ETH", addressApi.ctx.forbiddenDeliveryAddresses[0] ?? ""],
      ["MOB", fundingMob],
      ["MOB", withFogData],
      ["ETH", fundingEth],
      ["ETH", fundingEth.toLowerCase()],
    ] as const) {
      expect(await add(me, type, address)).toMatchObject({
        status: 422,
        body: { detail: { code: "address_invalid" } },
      });
    }
    expect(await list(me)).toEqual([]);
  });

  it("T88 tells only approved customers which addresses are funding addresses, and marks those that others save", async () => {
    const [fundingMob, fundingEth] = [toMob(78), "0x27b1fdb04752bbc536007a920d24acb045561c26"];
    await makeOrder("MOB", fundingMob);
    await makeOrder("USDT", fundingEth);
    const stranger = await addressApi.makeAccount({ isApproved: false });
    const responses = [
      await add(stranger, "ETH", fundingEth),
      await add(stranger, "MOB", fundingMob),
      await add(stranger, "MOB", toMob(79)),
    ];
    expect(responses.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(new Set(responses.map(({ body }) => Object.keys(body).join())).size).toBe(1);
    const rows = await addressApi.ctx.db
      .select()
      .from(deliveryAddresses)
      .where(eq(deliveryAddresses.accountId, stranger))
      .orderBy(deliveryAddresses.createdAt);
    expect(rows.map(({ isOurs }) => isOurs)).toEqual([true, true, false]);
  });

  it("lists pages by a cursor that a new row does not shift", async () => {
    const me = await addressApi.makeAccount();
    for (let n = 0; n < 5; n += 1) await add(me, "MOB", toMob(n), `label ${n}`);
    const first = await addressApi.call(me, "GET", "?limit=2");
    expect(first.body).toMatchObject({ items: [{ label: "label 4" }, { label: "label 3" }] });
    await add(me, "MOB", toMob(9), "new");
    const second = await addressApi.call(me, "GET", `?limit=2&cursor=${first.body.next}`);
    expect(second.body).toMatchObject({ items: [{ label: "label 2" }, { label: "label 1" }] });
    const third = await addressApi.call(me, "GET", `?limit=2&cursor=${second.body.next}`);
    expect(third.body).toMatchObject({ items: [{ label: "label 0" }], next: null });
    expect((await addressApi.call(me, "GET", "?cursor=nonsense")).status).toBe(422);
    expect((await addressApi.call(me, "GET", "?limit=1000")).status).toBe(422);
  });

  it("enforces the limit per account for parallel additions, and allows another one after a removal", async () => {
    const me = await addressApi.makeAccount();
    const responses = await Promise.all(Array.from({ length: 16 }, (_, n) => add(me, "MOB", toMob(n))));
    expect(responses.filter((response) => response.status === 201)).toHaveLength(12);
    const refused = responses.filter((response) => response.status !== 201);
    expect(new Set(refused.map((response) => response.body.detail?.code))).toEqual(new Set(["too_many_addresses"]));
    expect(new Set(refused.map((response) => response.status))).toEqual(new Set([409]));
    const [row] = await list(me);
    expect((await add(me, "MOB", row?.address ?? "")).status).toBe(200);
    expect((await addressApi.call(me, "DELETE", `/${row?.id}`)).status).toBe(204);
    expect((await add(me, "MOB", toMob(50))).status).toBe(201);
  });

  it("creates one row for ten parallel additions of the same address", async () => {
    const me = await addressApi.makeAccount();
    const responses = await Promise.all(Array.from({ length: 10 }, () => add(me, "MOB", plain)));
    expect(responses.map((response) => response.status).sort()).toEqual([...Array(9).fill(200), 201]);
    expect(new Set(responses.map((response) => response.body.id)).size).toBe(1);
  });

  it("removes an address once, and does not return it afterwards", async () => {
    const [me, other] = [await addressApi.makeAccount(), await addressApi.makeAccount()];
    const { body } = await add(me, "MOB", plain, "first");
    const id = String(body.id);
    const selectOwn = (accountId: string) => selectOwnAddress(addressApi.ctx.db, sql.param(accountId), sql.param(id));
    expect((await addressApi.call(other, "DELETE", `/${id}`)).status).toBe(404);
    expect(await selectOwn(me)).toEqual([{ type: "MOB", address: plain, isOurs: false }]);
    expect(await selectOwn(other)).toEqual([]);
    expect((await addressApi.call(me, "DELETE", `/${id}`)).status).toBe(204);
    expect((await addressApi.call(me, "DELETE", `/${id}`)).status).toBe(404);
    expect(await selectOwn(me)).toEqual([]);
    const again = await add(me, "MOB", plain, "second");
    expect(again).toMatchObject({ status: 201, body: { label: "second" } });
    expect(again.body.id).not.toBe(id);
  });

  it("keeps the row of a removed address only if an order used it, and only the last one", async () => {
    const me = await addressApi.makeAccount();
    const { db } = addressApi.ctx;
    const ofMe = () => db.select().from(deliveryAddresses).where(eq(deliveryAddresses.accountId, me));
    const addAndRemove = async (type: string, address: string) => {
      const { body } = await add(me, type, address);
      expect((await addressApi.call(me, "DELETE", `/${body.id}`)).status).toBe(204);
      return body.id;
    };
    await makeOrder("USDT", "0x1", { accountId: me, deliveryAddress: plain, refundAddress: checksummed });
    const other = (await add(me, "MOB", toMob(2))).body.id;
    await addAndRemove("MOB", toMob(1));
    expect((await ofMe()).map(({ id }) => id)).toEqual([other]);
    const [used] = [await addAndRemove("ETH", checksummed), await addAndRemove("MOB", plain)];
    const again = await addAndRemove("MOB", plain);
    expect((await ofMe()).map(({ id }) => id).sort()).toEqual([other, used, again].sort());
    // Another account's order does not count.
    const stranger = await addressApi.makeAccount();
    const { body } = await add(stranger, "MOB", plain);
    expect((await addressApi.call(stranger, "DELETE", `/${body.id}`)).status).toBe(204);
    expect(await db.$count(deliveryAddresses, eq(deliveryAddresses.accountId, stranger))).toBe(0);
  });

  it("T49 lists the addresses that the newest paid-out swap used in each direction, and null before the first", async () => {
    const me = await addressApi.makeAccount();
    const [usedMob, newMob] = [toMob(3), toMob(4)];
    for (const address of [usedMob, newMob]) await add(me, "MOB", address);
    const uses = async () => {
      const { body } = await addressApi.call(me, "GET", "");
      const items = body.items as { address: string; last_delivery: unknown; last_refund: unknown }[];
      return Object.fromEntries(items.map((item) => [item.address, [item.last_delivery, item.last_refund]]));
    };
    expect(await uses()).toEqual({ [usedMob]: [null, null], [newMob]: [null, null] });
    const used = { accountId: me, deliveryAddress: usedMob, refundAddress: checksummed };
    await makeOrder("USDT", "0x2", { ...used, deliveryAddress: newMob, status: "completed" });
    await makeOrder("USDT", "0x3", { ...used, status: "completed" });
    await makeOrder("USDT", "0x4", { ...used, deliveryAddress: newMob });
    await makeOrder("USDT", "0x5", { deliveryAddress: newMob, status: "completed" });
    await add(me, "ETH", checksummed);
    expect(await uses()).toEqual({ [checksummed]: [null, true], [usedMob]: [true, null], [newMob]: [false, null] });
    const back = { accountId: me, deliveryAddress: "0x6", refundAddress: newMob };
    await makeOrder("MOB", toMob(70), { ...back, status: "completed" });
    expect(await uses()).toEqual({ [checksummed]: [false, true], [usedMob]: [true, false], [newMob]: [false, true] });
    // When it is saved, its address is returned in the form of the specification.
    const { body } = await add(me, "ETH", checksummed);
    expect(Object.keys(body)).toEqual(["id", "type", "address", "label", "created_at"]);
  });

  it("requires a passkey session", async () => {
    const me = await addressApi.makeAccount();
    expect((await addressApi.call(null, "GET", "")).status).toBe(401);
    const byEmail = await addressApi.call(me, "POST", "", { type: "MOB", address: plain }, "email");
    expect(byEmail).toMatchObject({ status: 403, body: { detail: { code: "passkey_required" } } });
    expect((await addressApi.call(me, "DELETE", "/x", undefined, "email")).status).toBe(403);
  });

  async function makeOrder(
    sourceAsset: "USDT" | "MOB",
    fundingAddress: string,
    of: { accountId?: string; deliveryAddress?: string; refundAddress?: string; status?: "completed" } = {},
  ) {
    const { accountId = await addressApi.makeAccount(), deliveryAddress = "d", refundAddress = "r" } = of;
    const { status = "expired" } = of;
    const at = await addressApi.ctx.clock.now(addressApi.ctx.db);
    const targetAsset = sourceAsset === "MOB" ? "USDT" : "MOB";
    const price = { sourceAsset, targetAsset, sourceAmount: 2n, targetAmount: 1n, feeAmount: 1n, rate: 1n } as const;
    const times = { expiresAt: at, createdAt: at, updatedAt: at };
    const quoteId = newQuoteId();
    await addressApi.ctx.db.insert(quotes).values({ id: quoteId, accountId, status: "locked", ...price, ...times });
    await addressApi.ctx.db.insert(orders).values({
      ...price,
      ...times,
      id: newId(),
      accountId,
      quoteId,
      status,
      deliveryAddress,
      refundAddress,
      fundingAddress,
      graceMs: 0,
    });
  }
});
