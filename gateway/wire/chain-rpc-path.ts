/** Where the venue answers JSON-RPC about its signing chain, for wallets that add the chain. */
export const chainRpcPath = '/app/chain-rpc'
