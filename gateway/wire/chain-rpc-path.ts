/** Path of JSON-RPC about the signing chain, for wallets that add the chain. */
export const chainRpcPath = '/app/chain-rpc'
