import { useEffect, useRef } from "react";

/** Makes a <details> behave like a menu: Escape, a click outside and its links close it. */
export function useDismissable() {
  const ref = useRef<HTMLDetailsElement>(null);

  useEffect(() => {
    function onKey(event: KeyboardEvent) {
      const details = ref.current;
      if (event.key !== "Escape" || !details?.open) return;
      details.open = false;
      details.querySelector("summary")?.focus();
    }
    function onPointerDown(event: PointerEvent) {
      const details = ref.current;
      if (details?.open && event.target instanceof Node && !details.contains(event.target)) details.open = false;
    }
    function onClick({ target }: MouseEvent) {
      if (ref.current && target instanceof Element && target.closest("a")) ref.current.open = false;
    }
    document.addEventListener("keydown", onKey);
    document.addEventListener("pointerdown", onPointerDown);
    document.addEventListener("click", onClick);
    return () => {
      document.removeEventListener("keydown", onKey);
      document.removeEventListener("pointerdown", onPointerDown);
      document.removeEventListener("click", onClick);
    };
  }, []);

  return ref;
}
