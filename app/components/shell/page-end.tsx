const id = "end";

/** In the head: delays the first paint until PageEnd is parsed, so that a half-parsed page doesn't shift. */
export function ExpectPageEnd() {
  return <link rel="expect" href={`#${id}`} blocking="render" />;
}

/** The last element of every page. */
export function PageEnd() {
  return <span id={id} hidden />;
}
