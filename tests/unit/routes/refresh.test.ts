// @vitest-environment jsdom
import { readFileSync } from "node:fs";
import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";

const toPage = (styles: string, price: string) =>
  new DOMParser().parseFromString(
    `<link rel="stylesheet" href="/assets/${styles}.css"><main><p data-swap data-connection>${price}</p></main>`,
    "text/html",
  );

function newStorage() {
  const stored = new Map<string, string>();
  return {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
  };
}

/** Runs the script of a page, which then fetches `fresh`. */
async function refresh(
  script: string,
  fresh: Document,
  page = toPage("styles-1", "one"),
  sessionStorage = newStorage(),
) {
  const result = { page, reloads: 0, isRepeated: true };
  const timers: (() => Promise<void>)[] = [];
  const reload = () => {
    result.reloads += 1;
  };
  class Request {
    status = 200;
    responseXML = fresh;
    onloadend = () => undefined;
    open() {}
    setRequestHeader() {}
    send() {
      this.onloadend();
    }
  }
  Object.defineProperty(page, "visibilityState", { value: "visible" });
  page.head.insertAdjacentHTML("beforeend", '<script data-seconds="5" data-statuses="200 404"></script>');
  const scripts = ["app/components/refresh/fetch-page.js", script].map((path) => readFileSync(path, "utf8"));
  runInNewContext(scripts.join("\n").replaceAll("export {};", ""), {
    document: page,
    window: { location: { href: "/", reload }, document: page },
    setTimeout: (work: () => Promise<void>) => timers.push(work),
    clearTimeout: () => undefined,
    sessionStorage,
    XMLHttpRequest: Request,
    Intl,
    Event,
    CustomEvent,
    Element,
  });
  await timers[0]?.();
  result.isRepeated = timers.length > 1;
  return result;
}

describe.each(["app/routes/vegas/refresh.js", "app/routes/track/refresh.js"])("%s", (script) => {
  it("shows what has changed", async () => {
    const { page, reloads } = await refresh(script, toPage("styles-1", "two"));
    expect([page.querySelector("main")?.textContent, reloads]).toEqual(["two", 0]);
  });

  it("loads the page again if the site's styles have changed since", async () => {
    const { page, reloads } = await refresh(script, toPage("styles-2", "two"));
    expect([page.querySelector("main")?.textContent, reloads]).toEqual(["one", 1]);
  });

  it("stays if a translator or an extension has added a style sheet", async () => {
    const current = toPage("styles-1", "one");
    current.head.insertAdjacentHTML("beforeend", '<link rel="stylesheet" href="https://translate.example/a.css">');
    const { page, reloads } = await refresh(script, toPage("styles-1", "two"), current);
    expect([page.querySelector("main")?.textContent, reloads]).toEqual(["two", 0]);
  });

  it("reloads once if the reload does not bring the other styles", async () => {
    const storage = newStorage();
    const visit = () => refresh(script, toPage("styles-2", "two"), toPage("styles-1", "one"), storage);
    expect((await visit()).reloads).toBe(1);
    const { page, reloads } = await visit();
    expect([page.querySelector("main")?.textContent, reloads]).toEqual(["two", 0]);
  });

  it("stays if storage is blocked", async () => {
    const blocked = () => {
      throw new Error("SecurityError");
    };
    const storage = { getItem: blocked, setItem: blocked };
    const { reloads } = await refresh(script, toPage("styles-2", "two"), toPage("styles-1", "one"), storage);
    expect(reloads).toBe(0);
  });
});

it("announces a new state of a tracked swap, but no other changes", async () => {
  const toTrackPage = (title: string, detail: string) =>
    new DOMParser().parseFromString(
      `<main><div role="status"></div><div data-swap><h1>${title}</h1><p>${detail}</p></div></main>`,
      "text/html",
    );
  const script = "app/routes/track/refresh.js";
  const announce = async (fresh: Document) =>
    (await refresh(script, fresh, toTrackPage("Waiting", "1"))).page.querySelector("[role=status]")?.textContent;
  expect(await announce(toTrackPage("Waiting", "2"))).toBe("");
  expect(await announce(toTrackPage("Arrived", "2"))).toBe("Arrived");
});

describe("the page of a tracked swap", () => {
  const script = "app/routes/track/refresh.js";
  const updates = '<script data-seconds="15"></script>';
  const finished = "finished";
  const write = (page: Document, detail: string) => {
    const link = detail === finished ? "" : '<a href="?updates=off">Stop updating</a>';
    page.body.innerHTML = `<main><div data-swap><h1>Swap</h1><p>${detail}</p>${link}</div></main>`;
    return page;
  };
  const toTrackPage = (detail: string, scripts = updates) => {
    const page = write(document.implementation.createHTMLDocument(), detail);
    page.body.insertAdjacentHTML("beforeend", scripts);
    return page;
  };

  it("is fetched until the swap is finished", async () => {
    const fetchAfter = async (fresh: Document) => (await refresh(script, fresh, toTrackPage("1"))).isRepeated;
    expect(await fetchAfter(toTrackPage("1"))).toBe(true);
    expect(await fetchAfter(toTrackPage("2"))).toBe(true);
    expect(await fetchAfter(toTrackPage(finished, ""))).toBe(false);
  });

  it("keeps the focus on its link when the swap changes, and moves it to the title when the link is gone", async () => {
    const frame = document.body.appendChild(document.createElement("iframe"));
    const page = write(frame.contentDocument as Document, "1");
    page.querySelector("a")?.focus();
    await refresh(script, toTrackPage("2"), page);
    expect([page.querySelector("p")?.textContent, page.activeElement?.tagName]).toEqual(["2", "A"]);
    await refresh(script, toTrackPage(finished, ""), page);
    expect(page.activeElement?.tagName).toBe("H1");
    frame.remove();
  });
});

it("loads the page of a tracked swap again once the exchange responds", async () => {
  const down = new DOMParser().parseFromString("<main><h1>We can't show this swap right now</h1></main>", "text/html");
  const { reloads } = await refresh("app/routes/track/refresh.js", toPage("", "one"), down);
  expect(reloads).toBe(1);
});
