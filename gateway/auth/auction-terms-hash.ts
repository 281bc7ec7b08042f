import { createHash } from 'node:crypto'

/** Terms of a liquidation auction, as its status shows them. */
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

const scheme = 'standard-margin-liquidation-auction-terms-v5'

/**
 * `sha256:` and the hexadecimal SHA-256 of an auction's terms; every text has its length in front.
 */
export function auctionTermsHash(terms: AuctionTerms): string {
  const hash = createHash('sha256')
  for (const text of [scheme, terms.auctionId, terms.liquidatedWallet]) hash.update(prefixed(text))
  hash.update(littleEndian64(terms.auctionVersion))
  for (const text of [terms.portfolioHash, terms.bidUsdc]) hash.update(prefixed(text))
  hash.update(littleEndian64(terms.valuationTimestampMillis))
  return `sha256:${hash.digest('hex')}`
}

/**
 * `sha256:` and the hexadecimal SHA-256 of `symbol|quantity|entry_price` of every position, sorted
 * by symbol and joined by `;`.
 */
export function portfolioHash(positions: readonly AuctionPosition[]): string {
  const text = [...positions]
    .sort((a, b) => Number(a.symbol > b.symbol) - Number(a.symbol < b.symbol))
    .map((position) => `${position.symbol}|${position.quantity}|${position.entryPrice}`)
    .join(';')
  return `sha256:${createHash('sha256').update(text).digest('hex')}`
}

function prefixed(text: string): Buffer {
  const bytes = Buffer.from(text, 'utf8')
  return Buffer.concat([littleEndian64(bytes.length), bytes])
}

function littleEndian64(value: number): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(BigInt(value))
  return bytes
}
