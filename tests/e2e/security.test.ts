import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { verifyEmail } from "../support/sign-up";
import { toBackend } from "./support/accounts";
import { waitUntilReady } from "./support/appearances";
import { enableAuthenticator } from "./support/authenticator";
import { Customer, newEmail, readToken, register, signOut, signUp } from "./support/customers";
import { getMobWallet, newEthAddress } from "./support/sandbox";
import { expect, test } from "./support/test";

test("T5 T6 hides the session cookie from scripts, and tokens from bodies, storage and logs", async ({
  page,
  site,
  context,
}) => {
  const bodies: Promise<[string, string]>[] = [];
  page.on("response", (response) => {
    if (!response.url().startsWith(site.origin) || /\/events$/.test(response.url())) return;
    bodies.push(
      response.text().then(
        (text): [string, string] => [response.url(), text],
        (): [string, string] => [response.url(), ""],
      ),
    );
  });
  const email = newEmail();
  await register(page, email);
  const customer = new Customer(site, email, await readToken(page));
  await customer.verify();
  const order = await customer.lock("USDT", "30", newEthAddress());
  for (const path of ["/swap", "/swap/usdt-to-mob", `/swap/quote/${order.quote_id}`, "/doger", "/kyc", "/login"]) {
    await page.goto(path);
  }
  await page.getByRole("navigation", { name: "Main", exact: true }).getByRole("link").first().click();
  await page.waitForLoadState("domcontentloaded");

  const cookies = await context.cookies();
  const session = cookies.find(({ name }) => name === "session");
  expect(session).toMatchObject({ httpOnly: true, sameSite: "Lax", path: "/", domain: "localhost" });
  for (const { name, httpOnly } of cookies) {
    if (!["hasVisited", "theme", "tz"].includes(name)) expect([name, httpOnly]).toEqual([name, true]);
  }
  const payload = decodeURIComponent(session?.value ?? "").split(".")[0] ?? "";
  const { access, refresh } = JSON.parse(Buffer.from(payload, "base64").toString()) as Record<string, string>;
  const secrets = [access, refresh, customer.token, payload].filter((secret) => secret !== undefined);
  expect(secrets.length).toBe(4);
  const stored = await page.evaluate(() =>
    JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]),
  );
  const texts = await Promise.all(bodies);
  // The bodies of redirects, and of pages that were left too soon, cannot be read.
  expect(texts.filter(([, text]) => text !== "").length).toBeGreaterThan(100);
  for (const secret of secrets) {
    expect(stored).not.toContain(secret);
    expect(site.output).not.toContain(secret);
    for (const [url, text] of texts) expect(text.includes(secret), url).toBe(false);
  }
});

test("T9 T8 renders what visitors enter as text, under a policy without unsafe-inline", async ({ page, site }) => {
  const customer = await signUp(page, site);
  const payload = `"><img src=x onerror="document.title='owned'">`;
  await customer.addAddress("MOB", (await getMobWallet(site)).address, payload);
  const script = "</script><script>document.title='owned'</script>";
  await customer.addAddress("ETH", newEthAddress(), script);
  const quote = `/swap/usdt-to-mob?amount=${encodeURIComponent(payload)}`;
  for (const path of [quote, "/swap/mob-to-usdt", "/swap/deliveryaddress/", "/swap", "/doger"]) {
    const response = await page.goto(path);
    const policy = response?.headers()["content-security-policy"] ?? "";
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain("unsafe-inline");
    expect(response?.headers()["cache-control"]).toBe("private, no-store");
    await page.waitForLoadState("networkidle");
    expect(await page.title()).not.toBe("owned");
    await expect(page.locator("img[src=x]")).toHaveCount(0);
    if (!path.startsWith("/swap/deliveryaddress/")) continue;
    for (const text of [payload, script]) await expect(page.getByText(text, { exact: true }).first()).toBeVisible();
  }
});

/** Tries to turn a string into markup, a script's URL or code. Returns the attempts that were not refused. */
function tryInjections(): string[] {
  const markup = "<img src=x onerror=\"document.title='owned'\">";
  const attempts: Record<string, () => unknown> = {
    innerHTML: () => {
      document.body.appendChild(document.createElement("div")).innerHTML = markup;
    },
    insertAdjacentHTML: () => document.body.insertAdjacentHTML("beforeend", markup),
    srcdoc: () => {
      document.createElement("iframe").srcdoc = markup;
    },
    parser: () => new DOMParser().parseFromString(markup, "text/html"),
    "script src": () => {
      document.createElement("script").src = "/assets/other.js";
    },
    "script text": () => {
      document.createElement("script").text = "document.title = 'owned'";
    },
    "other worker": () => new Worker("/sw.js"),
    timer: () => {
      if (Number(setTimeout("document.title = 'owned'" as never)) === 0) throw new Error("Refused.");
    },
  };
  const allowed: string[] = [];
  for (const [name, attempt] of Object.entries(attempts)) {
    try {
      attempt();
      allowed.push(name);
    } catch {
      // Refused.
    }
  }
  return allowed;
}

test("T9 refuses strings as markup, script URLs and code on pages with and without React", async ({
  page,
  site,
  pageErrors,
}) => {
  pageErrors.expect(/requires '?Trusted|Trusted ?Type|unsafe-eval/);
  await signUp(page, site);
  for (const path of ["/swap", "/doger", "/vegas", "/welcome", "/nowhere"]) {
    if (path === "/nowhere") pageErrors.expect(/404/);
    await page.goto(path);
    await page.waitForLoadState("networkidle");
    expect(await page.evaluate(tryInjections), path).toEqual([]);
    expect(await page.title(), path).not.toBe("owned");
  }
});

/** Like an extension that changes the page before React starts. */
function addToDocument(): void {
  new MutationObserver((_, observer) => {
    if (!document.body?.firstElementChild) return;
    observer.disconnect();
    document.body.prepend(document.createElement("section"));
    Object.assign(window, { hasChangedPage: true });
  }).observe(document, { childList: true, subtree: true });
}

test("T9 renders a page again under Trusted Types after an extension has changed it", async ({ page, pageErrors }) => {
  pageErrors.expect(/[Hh]ydrat|Minified React error #4(18|2[2-5])/);
  await page.addInitScript(addToDocument);
  await page.goto("/login");
  expect(await page.evaluate(() => "hasChangedPage" in window)).toBe(true);
  await expect(page.locator("body > section")).toHaveCount(0);
  await page.getByRole("link", { name: "Create an account with a passkey" }).click();
  await expect(page.getByRole("heading", { name: "Create an account" })).toBeVisible();
});

test("T2 refuses a form posted by another origin on the same host", async ({ page, site, pageErrors }) => {
  pageErrors.expect(/403/);
  await signUp(page, site);
  const evil = await serve(
    `<form method="post" action="${site.origin}/logout"></form><script>document.forms[0].submit()</script>`,
  );
  try {
    const responded = page.waitForResponse(`${site.origin}/logout`);
    await page.goto(`http://localhost:${(evil.address() as AddressInfo).port}/`);
    expect((await responded).status()).toBe(403);
  } finally {
    evil.closeAllConnections();
    evil.close();
  }
  await page.goto("/doger");
  expect(new URL(page.url()).pathname).toBe("/doger");
});

test("T8 the site is not shown in another site's frame", async ({ page, site, pageErrors }) => {
  pageErrors.expect(/frame-ancestors|X-Frame-Options/, /request: GET .*\/login/);
  const evil = await serve(`<iframe src="${site.origin}/login"></iframe>`);
  try {
    await page.goto(`http://127.0.0.1:${(evil.address() as AddressInfo).port}/`);
    await expect.poll(() => page.frames()[1]?.url()).toMatch(/^chrome-error:/);
  } finally {
    evil.closeAllConnections();
    evil.close();
  }
});

test("T11 shows nothing private after signing out and going back", async ({ page, site }) => {
  const { email } = await signUp(page, site);
  await page.goto("/doger");
  await signOut(page);
  await page.goBack();
  await page.waitForURL("**/login?**");
  await expect(page.getByText(email)).toHaveCount(0);
});

test("T12 signs out the other tabs as well, and revokes the token", async ({ page, context, site }) => {
  const { token } = await signUp(page, site);
  await page.goto("/doger");
  const other = await context.newPage();
  await other.goto("/swap");
  await Promise.all([page, other].map(waitUntilReady));
  await signOut(page);
  await other.waitForURL("**/login?**", { timeout: 30_000 });
  const response = await fetch(`${site.origin}/api/users/me`, { headers: { "X-Auth-Token": token } });
  expect(response.status).toBe(401);
});

test("T12 signs out the other tabs from a page without React as well", async ({ page, context, site }) => {
  await signUp(page, site);
  const other = await context.newPage();
  await other.goto("/swap");
  await waitUntilReady(other);
  await page.goto("/help");
  await signOut(page);
  await other.waitForURL("**/login?**", { timeout: 30_000 });
});

test("T11 forgets identity details that were typed and not sent when the customer signs out", async ({
  page,
  site,
}) => {
  // Without suggestions in the field, which the virtual authenticator would accept before the button is pressed.
  await page.addInitScript(() => {
    PublicKeyCredential.isConditionalMediationAvailable = () => Promise.resolve(false);
  });
  const customer = await signUp(page, site, { verified: false });
  await verifyEmail(toBackend(site), customer.email, customer.token);
  await page.goto("/kyc");
  await waitUntilReady(page);
  const name = page.getByLabel("First name");
  await name.fill("Grace");
  await page.getByRole("link", { name: "Activity" }).first().click();
  await expect(page.getByRole("heading", { name: "Activity and account" })).toBeVisible();
  await page.goBack();
  await expect(name).toHaveValue("Grace");
  // In the same document as before.
  await page.evaluate(() => document.body.setAttribute("data-same", ""));
  await signOut(page);
  await enableAuthenticator(page);
  await page.getByLabel("E-mail address").fill(customer.email);
  await page.getByRole("button", { name: "Sign in with a passkey" }).click();
  await page.getByRole("link", { name: "Activity" }).first().click();
  await page.getByRole("link", { name: /verif/i }).first().click();
  await expect(name).toHaveValue("Ada");
  await expect(page.locator("body[data-same]")).toHaveCount(1);
});

test("T12 signs out the other tabs once the session has ended, however long signing out takes", async ({
  page,
  context,
  site,
}) => {
  await signUp(page, site);
  await page.clock.install();
  await page.goto("/doger");
  const other = await context.newPage();
  await other.goto("/swap");
  await Promise.all([page, other].map(waitUntilReady));
  const heard = await other.evaluateHandle(() => {
    const messages: unknown[] = [];
    new BroadcastChannel("antelope.session").addEventListener("message", ({ data }) => messages.push(data));
    return messages;
  });
  // Delays the request to sign out: a tab that is notified too early finds the session still valid, and stays.
  await page.route("**/logout*", async (route) => {
    await page.clock.runFor(5_000);
    await page.evaluate(() => new BroadcastChannel("antelope.session").postMessage("a later message"));
    await expect.poll(() => heard.jsonValue()).toEqual(["a later message"]);
    await route.continue();
  });
  await signOut(page);
  await other.waitForURL("**/login?**", { timeout: 30_000 });
});

function serve(html: string): Promise<Server> {
  const server = createServer((_, response) => {
    response.setHeader("Content-Type", "text/html");
    response.end(html);
  });
  return new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(server)));
}
