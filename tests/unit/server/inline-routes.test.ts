import { describe, expect, it } from "vitest";
import { createRouteInliner } from "~/server/inline-routes.server";

const files: Record<string, string> = {
  "/assets/root.js": 'export{a as ErrorBoundary,default}from"./shell.js";\n',
  "/assets/login.js": 'export{b as default}from"./sign-in.js";',
  "/assets/own.js": 'import{c}from"./shell.js";export{c as default};',
  "/assets/entry.js": 'import{h as s}from"./shell.js";s();\n',
  "/assets/shell.js": 'import{r}from"./framework.js";const later=()=>import("./later.js");',
  "/assets/sign-in.js": 'import"./shell.js";import{r}from"./framework.js";',
  "/assets/framework.js": "",
};
const inline = createRouteInliner((path) => files[path]);

/** The end of a page as Remix writes it. */
function toPage(routes: string[], preloads: string[]): string {
  const links = preloads.map((path) => `<link rel="modulepreload" href="${path}"/>`).join("");
  const imports = routes.map((path, i) => `import * as route${i} from "${path}";`).join("\n");
  const modules = routes.map((path, i) => `"${path}":route${i}`).join();
  const script = `import "/assets/manifest.js";\n${imports}\n\nwindow.modules = {${modules}};\n\nimport("/assets/entry.js");`;
  return `<body>${links}<script nonce="n">data()</script><script nonce="n" type="module" async="">${script}</script></body>`;
}

describe("createRouteInliner", () => {
  it("writes modules that only name a chunk's exports into the script", () => {
    expect(inline(toPage(["/assets/root.js", "/assets/own.js", "/assets/login.js"], []))).toBe(
      '<body><script nonce="n">data()</script><script nonce="n" type="module" async="">' +
        'import * as chunk0 from "/assets/shell.js";import * as chunk1 from "/assets/sign-in.js";' +
        'import "/assets/manifest.js";\nconst route0={ErrorBoundary:chunk0.a,default:chunk0.default};\n' +
        'import * as route1 from "/assets/own.js";\nconst route2={default:chunk1.b};\n\n' +
        'window.modules = {"/assets/root.js":route0,"/assets/own.js":route1,"/assets/login.js":route2};\n\n' +
        "chunk0.h();</script></body>",
    );
  });

  it("preloads only what the page still imports", () => {
    const names = ["manifest", "entry", "root", "login", "sign-in", "shell", "framework", "later"];
    const html = inline(
      toPage(
        ["/assets/root.js", "/assets/login.js"],
        names.map((name) => `/assets/${name}.js`),
      ),
    );
    const links = [...html.matchAll(/<link( rel="modulepreload")? href="\/assets\/([\w-]+)\.js"\/>/g)];
    expect(links.map(([, rel, name]) => [name, rel !== undefined])).toEqual([
      ["manifest", true],
      ["entry", false],
      ["root", false],
      ["login", false],
      ["sign-in", true],
      ["shell", true],
      ["framework", true],
      ["later", false],
    ]);
  });

  it.each([
    ["without scripts", "<body><p>import * as route0 from</p></body>"],
    [
      "whose modules cannot be read",
      toPage(["/assets/unknown.js"], ["/assets/unknown.js"]).replace("entry", "unknown"),
    ],
  ])("leaves a page %s as it is", (_name, html) => {
    expect(inline(html)).toBe(html);
  });
});
