/**
 * Browsers translate a page by replacing its text nodes. React still holds the replaced ones, and crashes when it
 * removes one or inserts something before it (facebook/react#11538). While this is active, React leaves the translated
 * text where it is. Returns a function that undoes it.
 */
export function tolerateTranslatedNodes(node: Pick<Node, "insertBefore" | "removeChild">): () => void {
  const { insertBefore, removeChild } = node;
  node.removeChild = function <T extends Node>(this: Node, child: T): T {
    return child.parentNode === this ? removeChild.call<Node, [T], T>(this, child) : child;
  };
  node.insertBefore = function <T extends Node>(this: Node, added: T, next: Node | null): T {
    return insertBefore.call<Node, [T, Node | null], T>(this, added, next?.parentNode === this ? next : null);
  };
  return () => Object.assign(node, { insertBefore, removeChild });
}
