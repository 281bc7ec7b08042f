import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, concatBytes } from '@noble/hashes/utils.js'

/** Terms of a liquidation auction, as in its status. */
export interface AuctionTerms {
  readonly auctionId: string
  /** `0x` and 40 lower-case digits. */
  readonly liquidatedWallet: string
  readonly auctionVersion: number
  readonly portfolioHash: string
  /** Required bid, canonical decimal text without trailing zeros. */
  readonly bidUsdc: string
  readonly valuationTimestampMillis: number
}

export interface AuctionPosition {
  readonly symbol: string
  readonly quantity: string
  readonly entryPrice: string
}

const utf8 = new TextEncoder()
export const auctionTermsScheme = 'standard-margin-liquidation-auction-terms-v5'

/** Returns `sha256:` and the hexadecimal SHA-256 of an auction's terms; every text is prefixed with its length. */
export function auctionTermsHash(terms: AuctionTerms): string {
  return hashText(
    ...[auctionTermsScheme, terms.auctionId, terms.liquidatedWallet].map(prefixed),
    littleEndian64(terms.auctionVersion),
    ...[terms.portfolioHash, terms.bidUsdc].map(prefixed),
    littleEndian64(terms.valuationTimestampMillis),
  )
}

/**
 * Returns `sha256:` and the hexadecimal SHA-256 of `symbol|quantity|entry_price` of every position, sorted by symbol
 * and joined by `;`.
 */
export function portfolioHash(positions: readonly AuctionPosition[]): string {
  const text = [...positions]
    .sort((a, b) => Number(a.symbol > b.symbol) - Number(a.symbol < b.symbol))
    .map((position) => `${position.symbol}|${position.quantity}|${position.entryPrice}`)
    .join(';')
  return hashText(utf8.encode(text))
}

function hashText(...parts: readonly Uint8Array[]): string {
  return `sha256:${bytesToHex(sha256(concatBytes(...parts)))}`
}

function prefixed(text: string): Uint8Array {
  const bytes = utf8.encode(text)
  return concatBytes(littleEndian64(bytes.length), bytes)
}

function littleEndian64(value: number): Uint8Array {
  const bytes = new Uint8Array(8)
  new DataView(bytes.buffer).setBigUint64(0, BigInt(value), true)
  return bytes
}
