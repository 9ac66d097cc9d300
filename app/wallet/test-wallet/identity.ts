/** How the test wallet names itself by EIP-6963; here alone, so that asking for the name loads none of it. */
export const testWalletRdns = "app.antelope.test-wallet";
