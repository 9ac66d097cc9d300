/**
 * Escapes the control characters in JSON that JSON allows, and that `JSON.stringify` does not escape. A terminal would
 * obey them (T18).
 */
export function escapeControls(json: string): string {
  return json.replace(/[\u007f-\u009f]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
