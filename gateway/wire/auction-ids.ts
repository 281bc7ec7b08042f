const auctionPrefix = 'auction-'
const auctionPattern = /^auction-([1-9]\d{0,14})$/

/** Name of an auction by its number, null for 0. */
export function auctionIdText(auction: number): string | null {
  return auction === 0 ? null : `${auctionPrefix}${auction}`
}

/** Number of an auction by its name, 0 when it is none. */
export function auctionOfText(text: string): number {
  return Number(auctionPattern.exec(text)?.[1] ?? 0)
}

/** A UUID (version 8) made of the auction's number: the same in every answer and after every restart. */
export function auctionRequestId(auction: number): string | null {
  if (auction === 0) return null
  return `5b000000-0000-8000-8000-${auction.toString(16).padStart(12, '0')}`
}
