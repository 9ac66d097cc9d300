/** Replaces every text below an element as Chrome's translation does: with <font> elements that have different text. */
export function translate(root: Element): void {
  const { document, NodeFilter } = window;
  const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const found: Text[] = [];
  while (texts.nextNode()) found.push(texts.currentNode as Text);
  for (const text of found) {
    if (text.parentElement?.closest("[translate=no], script, style") || !text.data.trim()) continue;
    const outer = document.createElement("font");
    const inner = document.createElement("font");
    inner.textContent = `¿${text.data}?`;
    outer.append(inner);
    text.replaceWith(outer);
  }
}
