/** The BIP-32 path of an order's Ethereum funding address, below the seed of ETH_XPUB. */
export const toFundingPath = (fundingIndex: number): string => `m/44'/60'/0'/0/${fundingIndex}`;
