import { type AssetSymbol, isAssetSymbol } from "~/lib/assets";
import { paths, withParams } from "~/lib/paths";
import { parseRedirect } from "~/lib/search-params";

export type SandboxParams = {
  /** Whose mails are shown; null for everybody's. */
  to: string | null;
  /** What an order's page asks to be paid: coin, address and amount to begin with. */
  asset: AssetSymbol | null;
  address: string | null;
  amount: string | null;
  /** The way back, a path of ours. */
  redirect: string | null;
};

const addressPatterns = {
  MOB: /^[1-9A-HJ-NP-Za-km-z]{20,1000}$/,
  USDT: /^0x[0-9a-fA-F]{40}$/,
} as const satisfies Record<AssetSymbol, RegExp>;

/** What does not fit is dropped, as everywhere. `payTo` is short for a MobileCoin address. */
export function parseSandboxParams(params: URLSearchParams): SandboxParams {
  const payTo = short(params, "payTo", addressPatterns.MOB);
  const given = short(params, "asset", /^(MOB|USDT)$/);
  const asset = payTo !== null ? "MOB" : isAssetSymbol(given) ? given : null;
  return {
    to: short(params, "to", /^[^\s@]{1,128}@[^\s@]{1,128}$/),
    asset,
    address: payTo ?? (asset && short(params, "address", addressPatterns[asset])),
    amount: short(params, "amount", /^[0-9]{1,15}(\.[0-9]{1,12})?$/),
    redirect: parseRedirect(params),
  };
}

/** The page with these params; what is null is left out. */
export function toSandboxPath({ to, asset, address, amount, redirect }: SandboxParams): string {
  return withParams(paths.sandbox, { to, asset, address, amount, redirect });
}

function short(params: URLSearchParams, name: string, pattern: RegExp): string | null {
  const values = params.getAll(name).map((value) => value.trim());
  const [value] = values;
  return values.length === 1 && value !== undefined && pattern.test(value) ? value : null;
}
