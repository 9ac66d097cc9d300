import { type AssetSymbol, isAssetSymbol } from "~/lib/assets";
import { paths, withParams } from "~/lib/paths";
import { parseRedirect } from "~/lib/search-params";

export type SandboxParams = {
  /** Show only e-mails to this address; null for all. */
  to: string | null;
  /** Prefilled by the link on a swap's page: the coin, address and amount to pay. */
  asset: AssetSymbol | null;
  address: string | null;
  amount: string | null;
  /** The page to return to, a path on this site. */
  redirect: string | null;
};

const addressPatterns = {
  MOB: /^[1-9A-HJ-NP-Za-km-z]{20,1000}$/,
  USDT: /^0x[0-9a-fA-F]{40}$/,
} as const satisfies Record<AssetSymbol, RegExp>;

/** Invalid params are dropped. `payTo` sets both the asset MOB and the address. */
export function parseSandboxParams(params: URLSearchParams): SandboxParams {
  const payTo = readParam(params, "payTo", addressPatterns.MOB);
  const requested = readParam(params, "asset", /^(MOB|USDT)$/);
  const asset = payTo !== null ? "MOB" : isAssetSymbol(requested) ? requested : null;
  return {
    to: readParam(params, "to", /^[^\s@\p{Cc}]{1,128}@[^\s@\p{Cc}]{1,128}$/u),
    asset,
    address: payTo ?? (asset && readParam(params, "address", addressPatterns[asset])),
    amount: readParam(params, "amount", /^[0-9]{1,15}(\.[0-9]{1,12})?$/),
    redirect: parseRedirect(params),
  };
}

/** The path of the page with these params, without those that are null. */
export function toSandboxPath(params: SandboxParams): string {
  return withParams(paths.sandbox, { ...params });
}

/** The params as the names and values of hidden fields, without those that are null. */
export function toHiddenFields(params: Partial<SandboxParams>): [name: string, value: string][] {
  return Object.entries(params).flatMap(([name, value]) => (value === null ? [] : [[name, value]]));
}

function readParam(params: URLSearchParams, name: string, pattern: RegExp): string | null {
  const values = params.getAll(name).map((value) => value.trim());
  const [value] = values;
  return values.length === 1 && value !== undefined && pattern.test(value) ? value : null;
}
