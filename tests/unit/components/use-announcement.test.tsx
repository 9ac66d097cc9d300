// @vitest-environment jsdom
import { renderHook } from "@testing-library/react";
import { expect, it } from "vitest";
import { useAnnouncement } from "~/components/price/use-announcement";
import type { TypedAmounts } from "~/components/price/use-typed-amounts";

const direction = { source: "USDT", target: "MOB" } as const;
const sending = (source: string) => ({ side: "source", texts: { source, target: "" } }) as TypedAmounts;

it("announces what follows from typing, and not what follows from a new rate", () => {
  const { result, rerender } = renderHook(
    ({ source, receive }) => useAnnouncement(sending(source), direction, receive),
    { initialProps: { source: "250", receive: "" } },
  );
  expect(result.current).toBe("");
  rerender({ source: "250", receive: "700" });
  expect(result.current).toBe("250 USDT gives about 700 MOB");
  rerender({ source: "250", receive: "701" });
  expect(result.current).toBe("250 USDT gives about 700 MOB");
  rerender({ source: "300", receive: "840" });
  expect(result.current).toBe("300 USDT gives about 840 MOB");
  rerender({ source: "", receive: "" });
  expect(result.current).toBe("");
});
