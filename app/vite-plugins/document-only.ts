/**
 * Whether browsers load a route only as a document or a file, so that links to it are plain links, not Remix's. Such a
 * route has no component or no React, and no code for Remix's navigations and forms.
 */
export function isDocumentOnly(source: string): boolean {
  const hasClientCode = /^export (?:async function|function|const) client(?:Loader|Action)\b/m.test(source);
  const hasPage = /^export default /m.test(source);
  const isWithoutReact = /^export const handle = withoutScripts;/m.test(source);
  return !hasClientCode && (!hasPage || isWithoutReact);
}
