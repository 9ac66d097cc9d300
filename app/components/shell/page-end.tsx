const id = "end";

/** In the head: the first paint waits for PageEnd, since half a page moves when the rest of it is read. */
export function ExpectPageEnd() {
  return <link rel="expect" href={`#${id}`} blocking="render" />;
}

/** Comes last on every page: Chromium waits for the element, not for what is in it. */
export function PageEnd() {
  return <span id={id} hidden />;
}
