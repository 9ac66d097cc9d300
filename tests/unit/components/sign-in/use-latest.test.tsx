// @vitest-environment jsdom
import { renderHook } from "@testing-library/react";
import { expect, it } from "vitest";
import { useLatest } from "~/components/sign-in/use-latest";

it("returns the result that changed last, and nothing once that one is gone", () => {
  const [first, second, third] = [{ n: 1 }, { n: 2 }, { n: 3 }];
  const { result, rerender } = renderHook(({ results }) => useLatest(...results), {
    initialProps: { results: [null, first] as ({ n: number } | null | undefined)[] },
  });
  expect(result.current).toBe(first);
  rerender({ results: [second, first] });
  expect(result.current).toBe(second);
  // The new attempt does not have a result yet. The older result of the other attempt does not come back.
  rerender({ results: [null, first] });
  expect(result.current).toBeNull();
  rerender({ results: [null, third] });
  expect(result.current).toBe(third);
  rerender({ results: [second, third] });
  expect(result.current).toBe(second);
});
