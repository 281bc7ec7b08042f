// Chains in the requests of browser wallets (EIP-1193, EIP-3085, EIP-3326), and the meaning of the wallets' errors.

import { chainRpcPath } from '../../wire/chain-rpc-path.js'

/** Chain of the venue's signing domain. */
export interface SigningChain {
  readonly id: number
  readonly name: string
  readonly symbol: string
  /** JSON-RPC endpoints that answer `eth_chainId` with the chain. */
  readonly rpcUrls: readonly string[]
}

/** Public chains that presets sign for. A wallet that adds one needs its real endpoint, not the venue's. */
const publicChains: Readonly<Record<number, Omit<SigningChain, 'id'>>> = {
  998: {
    ...{ name: 'HyperEVM Testnet', symbol: 'HYPE' },
    rpcUrls: ['https://rpc.hyperliquid-testnet.xyz/evm'],
  },
  999: { name: 'HyperEVM', symbol: 'HYPE', rpcUrls: ['https://rpc.hyperliquid.xyz/evm'] },
}

/**
 * Describes the chain of a signing domain. A chain that is not public exists at the venue alone, which answers
 * `eth_chainId` for it: wallets ask before they add a chain.
 * @param venueUrl Origin of the venue.
 */
export function signingChain(id: number, venueName: string, venueUrl: string): SigningChain {
  const known = publicChains[id]
  if (known !== undefined) return { id, ...known }
  return { id, name: venueName, symbol: 'USD', rpcUrls: [venueUrl + chainRpcPath] }
}

/** Formats a chain for messages. */
export function chainText({ id, name }: Pick<SigningChain, 'id' | 'name'>): string {
  return `chain ${id} (${name})`
}

/** Parameter of `wallet_switchEthereumChain`. */
export function switchParameter({ id }: Pick<SigningChain, 'id'>) {
  return { chainId: `0x${id.toString(16)}` }
}

/** Parameter of `wallet_addEthereumChain`. MetaMask rejects other keys, and other than 18 decimals. */
export function addParameter(chain: SigningChain) {
  const { name, symbol, rpcUrls } = chain
  return {
    ...switchParameter(chain),
    chainName: name,
    nativeCurrency: { name: symbol, symbol, decimals: 18 },
    rpcUrls,
  }
}

/** Reads a chain id: hexadecimal text by EIP-1193, a number or decimal text from some wallets. @returns null if invalid. */
export function chainIdOf(value: unknown): number | null {
  if (typeof value !== 'string' && typeof value !== 'number') return null
  const id = Number(value)
  return Number.isSafeInteger(id) && id > 0 ? id : null
}

const declinedCode = 4001
const unsupportedCodes: readonly unknown[] = [4200, -32601]
const pendingCode = -32002
const unknownChainCode = 4902

/** Returns true if the user declined in the wallet. */
export function isDeclined(error: unknown): boolean {
  return codesOf(error).includes(declinedCode)
}

/** Returns true if a wallet does not know a chain. MetaMask on phones wraps the code, and some wallets send text only. */
export function isUnknownChain(error: unknown): boolean {
  return codesOf(error).includes(unknownChainCode) || /unrecognized chain/i.test(textOf(error))
}

/** Returns true if a wallet does not sign because it is on another chain. */
export function isOtherChain(error: unknown): boolean {
  return /chain ?id\b.*(must match|mismatch|does not match)/i.test(textOf(error))
}

/** Says why the wallet is not on the venue's chain, and what the user can do. @param from The chain that it is on. */
export function switchFailure(error: unknown, from: number | null, chain: SigningChain): string {
  const by = ` Select ${chainText(chain)} in the wallet, then try again.`
  const codes = codesOf(error)
  const current = from === null ? '' : ` and stays on chain ${from}`
  if (codes.includes(declinedCode)) return `The wallet did not switch${current}: declined.${by}`
  if (codes.includes(pendingCode)) {
    return `The wallet has an open request to switch to ${chainText(chain)}. Answer it, then try again.`
  }
  if (unsupportedCodes.some((code) => codes.includes(code))) {
    return `The wallet cannot switch chains for a page${current}.${by}`
  }
  return `The wallet did not switch${current}: ${textOf(error) || 'no reason given'}.${by}`
}

/** Says why the wallet did not add the chain, and how to add it by hand. */
export function addFailure(error: unknown, chain: SigningChain): string {
  const why = isDeclined(error) ? 'declined' : textOf(error) || 'no reason given'
  const url = chain.rpcUrls.join(' or ')
  return `The wallet did not add ${chainText(chain)}: ${why}. Add it by hand with the RPC URL ${url}, then try again.`
}

interface WalletError {
  readonly code?: unknown
  readonly message?: unknown
  readonly data?: { readonly code?: unknown; readonly originalError?: WalletError } | null
}

function codesOf(error: unknown): readonly unknown[] {
  const { code, data } = (error ?? {}) as WalletError
  return [code, data?.code, data?.originalError?.code]
}

function textOf(error: unknown): string {
  const { message, data } = (error ?? {}) as WalletError
  const texts = [message, data?.originalError?.message].filter((text) => typeof text === 'string')
  return texts.join(': ').replace(/\.$/, '')
}
