/** The test wallet's EIP-6963 identifier, in its own file so that importing it does not load the wallet. */
export const testWalletRdns = "app.antelope.test-wallet";
