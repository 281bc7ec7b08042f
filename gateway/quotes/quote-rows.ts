import type { RowNumbers } from './row-numbers.js'

/** Quote of a row, as its provider wrote it; `'0'` for an omitted side. */
export interface QuoteTexts {
  readonly bidPrice: string
  readonly askPrice: string
  readonly maxBidSize: string
  readonly maxAskSize: string
}

export const unknownAccount = -1

/** Wallet that quotes. */
export class QuoteWallet {
  /** Lower-case address. */
  readonly address: string
  /** The engine's account number; negative until it is known. */
  account = unknownAccount
  /** Scopes in all logs. */
  readonly scopes = new Set<QuoteScope>()
  /** True if they are in several logs. Only then may the wallet have two rows for one instrument. */
  isSpread = false

  constructor(address: string) {
    this.address = address
  }
}

/** Rows that a wallet publishes together. Rows without a scope form a scope without a name. */
export class QuoteScope {
  /** Index of the gateway whose log contains it. */
  readonly log: number
  /** Id within the log. */
  readonly id: number
  /** Lower-case address. */
  readonly wallet: string
  readonly name: string
  /** Wallet on the board that contains the scope. */
  owner: QuoteWallet | null = null
  /** Number of its latest frame, counted over all gateways; it wraps around. */
  frame = 0
  /** Arrival time of that frame. */
  updatedMillis: number
  /** By instrument. */
  readonly rows = new Map<number, QuoteRow>()

  constructor(log: number, id: number, wallet: string, name: string, updatedMillis: number) {
    this.log = log
    this.id = id
    this.wallet = wallet
    this.name = name
    this.updatedMillis = updatedMillis
  }
}

/** Quote of one wallet for one instrument. */
export class QuoteRow implements QuoteTexts {
  readonly scope: QuoteScope
  /** Id within the log. */
  readonly id: number
  readonly instrument: number
  bidPrice: string
  askPrice: string
  maxBidSize: string
  maxAskSize: string
  /** Frame with the current texts. */
  frame: number
  setMillis: number
  /** True if a newer row of the same wallet in another log replaces it. */
  isHidden = false
  /** Latest frame that contained the row; maintained by the log's writer. */
  seenFrame = 0
  /** Quoted sides, cached by `best-quotes.ts`; 0 until needed. */
  sides = 0
  /** Numbers for comparison with orders, cached by `row-numbers.ts`; null until needed. */
  numbers: RowNumbers | null = null
  /** JSON up to the value of `updated_at`; '' until needed. */
  json = ''

  constructor(scope: QuoteScope, id: number, instrument: number, texts: QuoteTexts) {
    this.scope = scope
    this.id = id
    this.instrument = instrument
    this.bidPrice = texts.bidPrice
    this.askPrice = texts.askPrice
    this.maxBidSize = texts.maxBidSize
    this.maxAskSize = texts.maxAskSize
    this.frame = scope.frame
    this.setMillis = scope.updatedMillis
  }

  says({ bidPrice, askPrice, maxBidSize, maxAskSize }: QuoteTexts): boolean {
    return (
      this.bidPrice === bidPrice &&
      this.askPrice === askPrice &&
      this.maxBidSize === maxBidSize &&
      this.maxAskSize === maxAskSize
    )
  }

  take({ bidPrice, askPrice, maxBidSize, maxAskSize }: QuoteTexts): void {
    this.bidPrice = bidPrice
    this.askPrice = askPrice
    this.maxBidSize = maxBidSize
    this.maxAskSize = maxAskSize
    this.json = ''
    this.sides = 0
    this.numbers = null
  }

  /** Time of the last update, with or without a change. */
  get updatedMillis(): number {
    return Math.max(this.setMillis, this.scope.updatedMillis)
  }

  /** Latest frame that confirms the row. */
  get latestFrame(): number {
    return isLater(this.scope.frame, this.frame) ? this.scope.frame : this.frame
  }
}

/** True if a frame is later than another. Numbers wrap around. */
export function isLater(frame: number, other: number): boolean {
  return ((frame - other) | 0) > 0
}
