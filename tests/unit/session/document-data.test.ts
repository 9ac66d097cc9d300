// @vitest-environment jsdom
import type { ClientLoaderFunctionArgs } from "@remix-run/react";
import { afterEach, beforeAll, expect, it, vi } from "vitest";
import "../../support/site";

const routes = import.meta.glob<{ clientLoader(args: ClientLoaderFunctionArgs): Promise<unknown> }>(
  "../../../app/routes/{layout,doger,swap/{index,usdt-to-mob,mob-to-usdt,delivery-addresses,quote}}/route.tsx",
);

// Other files of this worker may have sent forms, after which a document counts as old.
beforeAll(() => void vi.resetModules());
// The files of a worker share its globals.
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

// Remix names a route after its file.
it.each(Object.keys(routes).map((file) => file.replace(/^.*\/app\/|\.tsx$/g, "")))(
  "K07 %s does not load again what the document brought",
  async (id) => {
    const url = `http://localhost:3000/${id}`;
    vi.spyOn(performance, "getEntriesByType").mockReturnValue([{ name: url } as PerformanceEntry]);
    vi.stubGlobal("__remixContext", { state: { loaderData: { [id]: "from the document" } } });
    const module = await routes[`../../../app/${id}.tsx`]?.();
    const serverLoader = async () => "from the server";
    const args = { request: new Request(url), params: {}, serverLoader } as unknown as ClientLoaderFunctionArgs;
    expect(await module?.clientLoader(args)).toBe("from the document");
  },
);
