import ipaddr from "ipaddr.js";

/**
 * Returns what rate limits count by: an IPv4 address, or the /64 of an IPv6 address, because one
 * customer usually gets a whole /64. IPv4-mapped IPv6 addresses count as IPv4. Text that is not an
 * IP address is returned unchanged.
 */
export function toClientNetwork(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const ip = ipaddr.process(address);
  if (!("parts" in ip)) return ip.toString();
  const prefix = ip.parts.slice(0, 4).map((part) => part.toString(16));
  return `${prefix.join(":")}::/64`;
}
