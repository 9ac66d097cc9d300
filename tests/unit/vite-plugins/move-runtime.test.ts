import { expect, it } from "vitest";
import { toCopy } from "~/vite-plugins/move-runtime";

const runtime = "var a=2,b=x=>x*a,c=x=>x+1;export{c as n,b as o,a};\n";

it("declares the functions that other chunks use", () => {
  const copy = toCopy(runtime, ["o", "n"]);
  expect(new Function(`${copy}return [runtime_o(3), runtime_n(3)];`)()).toEqual([6, 4]);
});

it.each(["var a=1;", 'import{x}from"./x.js";var a=x;export{a};'])("refuses a runtime such as %s", (code) => {
  expect(() => toCopy(code, ["a"])).toThrow("Rolldown's runtime is not as expected");
});
