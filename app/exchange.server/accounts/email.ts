import { domainToASCII } from "node:url";
import { ExchangeError } from "../errors";

/**
 * Parses an address into the canonical form that identifies an account: lower-case ASCII, with an
 * international domain as punycode (RFC 5891). The local part must be ASCII, so that no two
 * addresses look alike (T33), and cannot contain anything that ends a mail header.
 * @throws invalid, with a message for the field `identifier`
 */
export function parseEmail(identifier: string): string {
  const at = identifier.lastIndexOf("@");
  const local = identifier.slice(0, at).toLowerCase();
  const domain = domainToASCII(identifier.slice(at + 1)).toLowerCase();
  const isValid =
    at > 0 &&
    identifier.length <= 254 &&
    local.length <= 64 &&
    /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/.test(local) &&
    /^([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z0-9-]*[a-z][a-z0-9-]*$/.test(domain) &&
    domain.length + local.length < 254;
  if (!isValid) {
    throw new ExchangeError("invalid", { fields: { identifier: "Enter an e-mail address such as ada@example.org." } });
  }
  return `${local}@${domain}`;
}
