import { getAddress, isAddress, zeroAddress } from "viem";
import { ExchangeError } from "../errors";

/** Nothing longer is looked at; an address has 42 characters. */
const maxTextLength = 600;

export type EthAddress = {
  /** With the checksum of EIP-55. */
  address: string;
  /** Lower case: two writings of one address agree in it. */
  canonical: string;
};

/**
 * Reads an Ethereum address. Mixed case must match its EIP-55 checksum; all lower case
 * carries none and passes. `forbidden` are addresses that nobody can receive at, such as
 * the token's contract. Throws `address_invalid` with words for the customer.
 */
export function parseEthAddress(text: string, { forbidden }: { forbidden: string[] }): EthAddress {
  if (text.length > maxTextLength) throw refuse("This is too long to be an Ethereum address.");
  const given = text.trim();
  if (given === "") throw refuse("Enter an Ethereum address.");
  if (/^ethereum:/i.test(given))
    throw refuse("This is a payment link. Enter only the address in it, which begins with 0x.");
  if (/^mob:/i.test(given) || /^[1-9A-HJ-NP-Za-km-z]{60,}$/.test(given)) {
    throw refuse("This looks like a MobileCoin address, not an Ethereum address.");
  }
  if (/^[^\s/@]+\.[a-z]{2,}$/i.test(given)) {
    throw refuse("This is a name, not an address. Enter the address that it stands for; it begins with 0x.");
  }
  if (given.startsWith("0X")) throw refuse("An Ethereum address begins with 0x, with a small x.");
  if (!given.startsWith("0x")) throw refuse("An Ethereum address begins with 0x.");
  if (!/^0x[0-9a-fA-F]*$/.test(given)) {
    throw refuse("This contains a character that no Ethereum address has. Copy the whole address once more.");
  }
  if (given.length === 66) {
    throw refuse(
      "This is as long as a transaction's hash or a private key. Enter an address, and never show a private key.",
    );
  }
  if (given.length !== 42) {
    const digits = given.length - 2;
    throw refuse(`An Ethereum address has 40 digits after 0x; this has ${digits}. Copy the whole address once more.`);
  }
  if (!isAddress(given)) {
    throw refuse(
      "The checksum of this address is wrong: a character is mistyped, or capitals were lost. Copy it once more.",
    );
  }
  const address = getAddress(given);
  if (address === zeroAddress) throw refuse("This is the zero address; nobody can use what is sent there.");
  const canonical = address.toLowerCase();
  if (forbidden.some((one) => one.toLowerCase() === canonical)) {
    throw refuse(
      "What is sent to this address is lost: it is a contract, not a wallet. Enter the address of your wallet.",
    );
  }
  return { address, canonical };
}

function refuse(message: string): ExchangeError {
  return new ExchangeError("address_invalid", { message });
}
