// @vitest-environment jsdom
import { act, cleanup, render } from "@testing-library/react";
import { Suspense, startTransition, useLayoutEffect, useState } from "react";
import { afterEach, expect, it } from "vitest";
import { useLatestRef } from "~/loaded-data/use-latest-ref";

afterEach(cleanup);

const never = new Promise(() => undefined);
let latest: { readonly current: string };
let setValue: (value: string) => void;
const seen: string[] = [];

/** Never finishes rendering "discarded". */
function Value({ value }: { value: string }) {
  latest = useLatestRef(value);
  useLayoutEffect(() => {
    seen.push(latest.current);
  });
  if (value === "discarded") throw never;
  return value;
}

function Page() {
  const [value, set] = useState("first");
  setValue = set;
  return (
    <Suspense>
      <Value value={value} />
    </Suspense>
  );
}

it("a ref to the latest value has only values that were shown, before the effects of the same render", async () => {
  const { container } = render(<Page />);
  await act(async () => startTransition(() => setValue("discarded")));
  expect([container.textContent, latest.current]).toEqual(["first", "first"]);
  await act(async () => setValue("second"));
  expect([container.textContent, latest.current]).toEqual(["second", "second"]);
  expect(seen).toEqual(["first", "second"]);
});
