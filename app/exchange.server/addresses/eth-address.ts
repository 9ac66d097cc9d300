import { getAddress, isAddress, zeroAddress } from "viem";
import { ExchangeError } from "../errors";

/** An address has 42 characters; longer text than this is not read. */
const maxTextLength = 600;

export type EthAddress = {
  /** With the EIP-55 checksum. */
  address: string;
  /** Lower case, to compare addresses. */
  canonical: string;
};

/**
 * Parses an Ethereum address. Mixed case must match the EIP-55 checksum; all lower case has no
 * checksum and is accepted. `forbidden` are addresses where money would be lost, such as the
 * token's contract. @throws address_invalid, with a message for the customer
 */
export function parseEthAddress(text: string, { forbidden }: { forbidden: string[] }): EthAddress {
  if (text.length > maxTextLength) throw refuse("This is too long to be an Ethereum address.");
  const given = text.trim();
  if (given === "") throw refuse("Enter an Ethereum address.");
  if (/^ethereum:/i.test(given))
    throw refuse("This is a payment link. Enter only the address in it, which starts with 0x.");
  if (/^mob:/i.test(given) || /^[1-9A-HJ-NP-Za-km-z]{60,}$/.test(given)) {
    throw refuse("This looks like a MobileCoin address, not an Ethereum address.");
  }
  if (/^[^\s/@]+\.[a-z]{2,}$/i.test(given)) {
    throw refuse("This is a name, not an address. Enter the address it points to, which starts with 0x.");
  }
  if (given.startsWith("0X")) throw refuse("An Ethereum address starts with 0x, with a lower-case x.");
  if (!given.startsWith("0x")) throw refuse("An Ethereum address starts with 0x.");
  if (!/^0x[0-9a-fA-F]*$/.test(given)) {
    throw refuse("This contains a character that Ethereum addresses don't use. Copy the whole address again.");
  }
  if (given.length === 66) {
    throw refuse(
      "This looks like a transaction hash or a private key. Enter an address, and never share a private key.",
    );
  }
  if (given.length !== 42) {
    const digits = given.length - 2;
    throw refuse(`An Ethereum address has 40 characters after 0x; this has ${digits}. Copy the whole address again.`);
  }
  if (!isAddress(given)) {
    throw refuse(
      "The checksum of this address is wrong: a character is mistyped, or capital letters were lost. Copy it again.",
    );
  }
  const address = getAddress(given);
  if (address === zeroAddress) throw refuse("This is the zero address. Anything sent there is lost.");
  const canonical = address.toLowerCase();
  if (forbidden.some((one) => one.toLowerCase() === canonical)) {
    throw refuse("This is a contract, not a wallet. Anything sent there is lost. Enter the address of your wallet.");
  }
  return { address, canonical };
}

function refuse(message: string): ExchangeError {
  return new ExchangeError("address_invalid", { message, fields: { address: message } });
}
