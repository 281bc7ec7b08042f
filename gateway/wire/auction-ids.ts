const auctionPrefix = 'auction-'
const auctionPattern = /^auction-([1-9]\d{0,14})$/

/** Returns the name of an auction by its number; null for 0. */
export function auctionIdText(auction: number): string | null {
  return auction === 0 ? null : `${auctionPrefix}${auction}`
}

/** Returns the number of an auction by its name; 0 if the name is invalid. */
export function auctionOfText(text: string): number {
  return Number(auctionPattern.exec(text)?.[1] ?? 0)
}

/** Returns a UUID (version 8) derived from the auction's number: the same in every answer and after every restart. */
export function auctionRequestId(auction: number): string | null {
  if (auction === 0) return null
  return `5b000000-0000-8000-8000-${auction.toString(16).padStart(12, '0')}`
}
