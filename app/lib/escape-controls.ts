/**
 * Escapes the control characters that JSON allows, and that `JSON.stringify` therefore does not escape. A terminal
 * would interpret them (T18).
 */
export function escapeControls(json: string): string {
  return json.replace(/[\u007f-\u009f]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
