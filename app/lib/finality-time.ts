/** How long it takes until Ethereum's nodes call a block finalized: two to three epochs of 6.4 minutes. */
export const finalityTime = "about 15 minutes";
