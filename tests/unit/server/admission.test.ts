import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import { expect, it } from "vitest";
import { admit } from "~/server/admission.server";

function readAddress(forwarded: string, trustProxy = true, url = "/") {
  const socket = new Socket();
  Object.defineProperty(socket, "remoteAddress", { value: "10.0.0.1" });
  const incoming = new IncomingMessage(socket);
  Object.assign(incoming, {
    method: "GET",
    url,
    headers: { host: "antelope.example", "x-forwarded-for": forwarded },
  });
  incoming.rawHeaders.push("Host", "antelope.example", "X-Forwarded-For", forwarded);
  return admit(incoming, { allowedHosts: ["antelope.example"], trustProxy, mode: "live" });
}

it.each([
  ["203.0.113.7", "203.0.113.7"],
  ["198.51.100.1, 203.0.113.7", "203.0.113.7"],
  ["203.0.113.7:41022", "203.0.113.7"],
  ["2001:db8::1", "2001:db8::1"],
  ["[2001:db8::1]:443", "2001:db8::1"],
  ["[2001:db8::1]", "2001:db8::1"],
  ["unknown", "10.0.0.1"],
  ["", "10.0.0.1"],
])("T14 reads the visitor's address from a proxy's header, without a port: %s", (forwarded, remoteAddress) => {
  expect(readAddress(forwarded)).toEqual({ remoteAddress });
  expect(readAddress(forwarded, false)).toEqual({ remoteAddress: "10.0.0.1" });
});

it.each([
  "/__manifest",
  "/./__manifest",
  "/x/../__manifest",
  "/x/%2E%2e/__manifest",
  "/__manifest#x",
  "/__manifest?p=/",
])("T15 never passes %s on to Remix", (url) =>
  expect(readAddress("", true, url)).toEqual({ status: 404, message: "Not Found" }),
);
