import { domainToASCII } from "node:url";
import { ExchangeError } from "../errors";

/**
 * The one writing of an address under which an account is known: lower-case ASCII, an
 * international domain as punycode (RFC 5891). The local part must be plain ASCII, so
 * that no two addresses only look alike (T33), and nothing in it can end a mail header.
 * @throws invalid, with a word for the field `identifier`
 */
export function parseEmail(identifier: string): string {
  const at = identifier.lastIndexOf("@");
  const local = identifier.slice(0, at).toLowerCase();
  const domain = domainToASCII(identifier.slice(at + 1)).toLowerCase();
  const fits =
    at > 0 &&
    identifier.length <= 254 &&
    local.length <= 64 &&
    /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/.test(local) &&
    /^([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z0-9-]*[a-z][a-z0-9-]*$/.test(domain) &&
    domain.length + local.length < 254;
  if (!fits) {
    const message = "an e-mail address such as ada@example.org";
    throw new ExchangeError("invalid", { fields: { identifier: message } });
  }
  return `${local}@${domain}`;
}
