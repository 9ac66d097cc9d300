import ipaddr from "ipaddr.js";

/**
 * Returns what rate limits count by: an IPv4 address, or the /56 of an IPv6 address, which providers commonly assign to
 * one home (RIPE-690). IPv4-mapped IPv6 addresses count as IPv4. Text that is not an IP address is returned unchanged.
 */
export function toClientNetwork(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const ip = ipaddr.process(address);
  if (!("parts" in ip)) return ip.toString();
  const [a = 0, b = 0, c = 0, d = 0] = ip.parts;
  const prefix = [a, b, c, d & 0xff00].map((part) => part.toString(16));
  return `${prefix.join(":")}::/56`;
}
