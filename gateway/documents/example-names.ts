/** Wallet of a client in the examples of the documents. */
export const exampleWallet = '0x0123456789abcdef0123456789abcdef01234567'
/** Instrument in the examples of the documents. */
export const exampleSymbol = 'BTC-20301227-100000-C'
