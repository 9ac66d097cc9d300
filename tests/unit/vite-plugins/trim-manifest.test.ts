import { describe, expect, it } from "vitest";
import { toTrimmed } from "~/vite-plugins/trim-manifest";

const toScript = (routes: Record<string, unknown>) =>
  `window.__remixManifest=${JSON.stringify({ entry: { imports: ["/a.js"] }, routes, version: "1" })};`;

const none = () => false;

describe("the manifest in the browser", () => {
  it("leaves out routes that the browser only loads as documents or files", () => {
    const login = { id: "routes/auth/login/route", css: ["/login.css"] };
    const routes = { "routes/auth/login/route": login, "routes/help/index/route": { id: "routes/help/index/route" } };
    expect(toTrimmed(toScript(routes), (id) => id === "routes/help/index/route")).toBe(
      toScript({ "routes/auth/login/route": login }),
    );
  });

  it("leaves out imports that the page's entry has loaded, and values that are false or empty", () => {
    const given = { id: "root", hasAction: false, hasLoader: true, imports: ["/a.js", "/b.js"], css: [] };
    const plain = { id: "root", hasLoader: true, imports: ["/a.js"] };
    expect(toTrimmed(toScript({ given, plain }), none)).toBe(
      toScript({ given: { id: "root", hasLoader: true, imports: ["/b.js"] }, plain: { id: "root", hasLoader: true } }),
    );
  });

  it("names the style sheets of the root only there", () => {
    const root = { id: "root", css: ["/styles.css"] };
    const plain = { id: "plain", css: ["/styles.css"] };
    const styled = { id: "styled", css: ["/own.css", "/styles.css"] };
    expect(toTrimmed(toScript({ root, plain, styled }), none)).toBe(
      toScript({ root, plain: { id: "plain" }, styled: { id: "styled", css: ["/own.css"] } }),
    );
  });

  it("fails the build if Remix writes it differently", () => {
    expect(() => toTrimmed("export default {}", none)).toThrow("The manifest does not start as Remix writes it");
  });
});
