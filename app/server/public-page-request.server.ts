/** Which requests get a page that is the same for every signed-out visitor, and what that page depends on. */
import type { IncomingMessage } from "node:http";
import { LRUCache } from "lru-cache";
import { welcomePages, welcomeSteps } from "../lib/constants";
import { currencyCookie, readCurrencyChoice } from "../lib/currencies";
import { onlyReads } from "../lib/http/methods";
import { timeZoneCookie } from "../lib/locale";
import { paths, withParams } from "../lib/paths";
import { rateRanges } from "../lib/rate-ranges";
import { readLanguageTag, readTimeZone } from "../lib/read-locale.server";
import { readTheme, themeCookie } from "../lib/theme";
import { getSiteCookies, hasVisitedCookie, visitedCookie } from "../session/cookies.server";

const welcomePaths = new Set([
  ...Array.from({ length: welcomeSteps }, (_, at) => paths.welcomeStep(at + 1)),
  ...welcomePages.map((page) => paths.welcomeStep(page)),
]);

/** Exactly these. Remix handles requests with any other query, even if the page does not read it. */
const publicPaths = new Set([
  ...welcomePaths,
  paths.login(),
  paths.register(),
  paths.vegas,
  ...rateRanges.map((range) => withParams(paths.vegas, { range })),
]);

/** The cookies that may change a public page. */
const knownCookies = new Set([themeCookie, timeZoneCookie, visitedCookie, currencyCookie]);

/** With any other cookie, for example a session, Remix responds. The device and autofill cookies do not change the page. */
function isKnownCookie(name: string): boolean {
  const { device, challenges } = getSiteCookies();
  return knownCookies.has(name) || name === device.name || name === challenges.autofill.name;
}

/** What a public page depends on besides its path. Headers with the same meaning give the same value. */
type Appearance = { acceptLanguage: string; cookie: string };

export type PublicPageRequest = {
  /** Path and query, one of a fixed list. */
  path: string;
  appearance: Appearance;
  /** Whether the sender has the styles already, as the refresh of /vegas does. */
  isMinimal: boolean;
  /** R03: the response sets the cookie that the visitor has seen the welcome pages. */
  isFirstVisit: boolean;
};

type Visitor = Appearance & { hasVisited: boolean };
type HeaderPair = { language: string; cookies: string };

/** Null if the request is for another page, or has anything that could make the page different from what others get. */
export function readPublicPageRequest(incoming: IncomingMessage): PublicPageRequest | null {
  const path = incoming.url ?? "";
  if (!publicPaths.has(path) || !onlyReads(incoming)) return null;
  const visitor = readVisitor({
    language: incoming.headers["accept-language"] ?? "",
    cookies: incoming.headers.cookie ?? "",
  });
  if (visitor === null) return null;
  const isMinimal = incoming.headers.prefer === "return=minimal";
  return { path, appearance: visitor, isMinimal, isFirstVisit: !visitor.hasVisited && welcomePaths.has(path) };
}

/** Parsing the headers costs more than sending the page, and most visitors send the same few short values. */
const visitors = new LRUCache<string, { visitor: Visitor | null }>({ max: 1_000 });
const maxHeaderLength = 1_000;

function readVisitor(headers: HeaderPair): Visitor | null {
  if (headers.language.length + headers.cookies.length > maxHeaderLength) return parseVisitor(headers);
  const key = `${headers.language}\n${headers.cookies}`;
  const known = visitors.get(key);
  if (known) return known.visitor;
  const visitor = parseVisitor(headers);
  visitors.set(key, { visitor });
  return visitor;
}

/** A language, script and region as Intl writes them: without extensions, which can have any content. */
const plainTag = /^[a-z]{2,3}(-[A-Z][a-z]{3})?(-([A-Z]{2}|[0-9]{3}))?$/;

function parseVisitor({ language, cookies }: HeaderPair): Visitor | null {
  if (cookies !== "" && !cookies.split(";").every((pair) => isKnownCookie(toName(pair)))) return null;
  const tag = readLanguageTag(language);
  if (!plainTag.test(tag)) return null;
  const timeZone = readTimeZone(cookies);
  const currency = readCurrencyChoice(cookies);
  const chosen = [
    `${visitedCookie}=true`,
    `${themeCookie}=${readTheme(cookies)}`,
    ...(timeZone === null ? [] : [`${timeZoneCookie}=${encodeURIComponent(timeZone)}`]),
    ...(currency === null ? [] : [`${currencyCookie}=${currency}`]),
  ];
  return { acceptLanguage: tag, cookie: chosen.join("; "), hasVisited: hasVisitedCookie(cookies) };
}

function toName(pair: string): string {
  return pair.slice(0, Math.max(0, pair.indexOf("="))).trim();
}
