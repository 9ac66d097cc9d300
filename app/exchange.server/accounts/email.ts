import { domainToASCII } from "node:url";
import { invalidEmailMessage } from "../../lib/email";
import { ExchangeError } from "../errors";

const maxLength = 254;

/**
 * Parses an address into the canonical form that identifies an account: lower-case ASCII, with an
 * international domain as punycode (RFC 5891). The local part must be ASCII, so that no two
 * addresses look alike (T33), and cannot contain anything that ends a mail header.
 * @throws invalid, with a message for the field `identifier`
 */
export function parseEmail(identifier: string): string {
  // Checks the length first: parsing 50 kB takes milliseconds (T17).
  if (identifier.length > maxLength) throw toInvalid();
  const at = identifier.lastIndexOf("@");
  const local = identifier.slice(0, at).toLowerCase();
  const domain = domainToASCII(identifier.slice(at + 1)).toLowerCase();
  const isValid =
    at > 0 &&
    local.length <= 64 &&
    // Some programs decode encoded words (RFC 2047) even in addresses.
    !local.includes("=?") &&
    /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/.test(local) &&
    isDomain(domain) &&
    domain.length + local.length < maxLength;
  if (!isValid) throw toInvalid();
  return `${local}@${domain}`;
}

/** Gmail treats both domains as the same, and ignores dots before the @. */
const gmail = ["gmail.com", "googlemail.com"];

/**
 * The main address of the mailbox that an address in canonical form probably belongs to. Used only for limits (T25):
 * many providers ignore a plus sign and what follows it, so a mailbox can have any number of aliases.
 */
export function toMailbox(email: string): string {
  const at = email.lastIndexOf("@");
  const [local, domain] = [email.slice(0, at), email.slice(at + 1)];
  const plus = local.indexOf("+", 1);
  const name = plus === -1 ? local : local.slice(0, plus);
  return gmail.includes(domain) ? `${name.replaceAll(".", "")}@gmail.com` : `${name}@${domain}`;
}

/** At least two labels of letters, digits and inner hyphens, of which the last has a letter. */
function isDomain(domain: string): boolean {
  const labels = domain.split(".");
  const areLabels = labels.every(
    (label) => /^[a-z0-9-]+$/.test(label) && !label.startsWith("-") && !label.endsWith("-"),
  );
  return labels.length > 1 && areLabels && /[a-z]/.test(labels.at(-1) ?? "");
}

function toInvalid(): ExchangeError {
  return new ExchangeError("invalid", { fields: { identifier: invalidEmailMessage } });
}
