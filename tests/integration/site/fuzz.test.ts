import { expect, it } from "vitest";
import { buildWhenStale } from "~/commands/build-when-stale.js";
import { findForms } from "../../fuzz/forms";
import { fuzz } from "../../fuzz/fuzz";
import { createInput, readSurface } from "../../fuzz/inputs";
import { createDataDirectory } from "../../support/data-directory";

const form = { path: "/login", intents: ["send-code"], fields: ["identifier"] };
const body = { content: { "application/json": { schema: { type: "object" } } } };
const surface = readSurface({ paths: { "/api/x/{id}": { post: { requestBody: body } } } }, [form]);
const world = {
  port: 1,
  origin: "http://127.0.0.1:1",
  token: "t",
  cookie: "c",
  email: "e",
  addresses: ["a"],
  ids: ["i"],
};

it("makes the same fuzzing inputs for the same seed", () => {
  const create = (seed: number) =>
    Array.from({ length: 200 }, (_, i) => createInput(seed, i, world, surface).bytes.toString("hex"));
  expect(create(1)).toEqual(create(1));
  expect(create(1)).not.toEqual(create(2));
});

it("finds every route with a form, and reads intents and fields from its schema", () => {
  const forms = new Map(findForms().map(({ path, ...rest }) => [path, rest]));
  expect([...forms.keys()].sort()).toEqual([
    ...[
      "/contact",
      "/doger",
      "/doger/delete",
      "/kyc",
      "/login",
      "/logout",
      "/register",
      "/sandbox",
      "/swap/deliveryaddress",
    ],
    ...["/swap/deliveryaddress/add", "/swap/mob-to-usdt", "/swap/notifications"],
    ...["/swap/quote/:quoteId", "/swap/usdt-to-mob"],
  ]);
  expect(forms.get("/login")?.intents).toContain("verify-code");
  expect(forms.get("/swap/quote/:quoteId")?.intents).toContain("lock");
  expect(forms.get("/swap/deliveryaddress/add")?.fields).toContain("address");
});

it("T8 T14 T18 T21 responds to 400 random inputs with statuses below 500, as documented, with security headers and a clean log", async () => {
  buildWhenStale();
  const dataDir = await createDataDirectory("fuzz");
  const report = await fuzz({ seed: 1, inputs: 400, ms: 400_000, examineStalls: false, dataDir });
  expect(report.findings).toEqual([]);
  expect(report.inputs).toBe(400);
}, 600_000);
