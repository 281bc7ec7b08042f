import type { RowNumbers } from './row-numbers.js'

/** What a row quotes, as its provider wrote it; `'0'` where it left a side out. */
export interface QuoteTexts {
  readonly bidPrice: string
  readonly askPrice: string
  readonly maxBidSize: string
  readonly maxAskSize: string
}

export const unknownAccount = -1

/** A wallet that quotes. */
export class QuoteWallet {
  /** Lower-case address. */
  readonly address: string
  /** The engine's number of it; below 0 until that is known. */
  account = unknownAccount
  /** In all logs. */
  readonly scopes = new Set<QuoteScope>()
  /** Whether they are in several logs: only then may it have two rows for one instrument. */
  isSpread = false

  constructor(address: string) {
    this.address = address
  }
}

/** Rows that one wallet publishes together; those without a scope are one of its scopes, too, without a name. */
export class QuoteScope {
  /** Index of the gateway whose log tells of it. */
  readonly log: number
  /** The log's number of it. */
  readonly id: number
  /** Lower-case address. */
  readonly wallet: string
  readonly name: string
  /** The wallet on the board that the scope was put on. */
  owner: QuoteWallet | null = null
  /** Number of its latest frame, over the frames of all gateways; it wraps. */
  frame = 0
  /** When that came in. */
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

/** What one wallet quotes for one instrument. */
export class QuoteRow implements QuoteTexts {
  readonly scope: QuoteScope
  /** The log's number of it. */
  readonly id: number
  readonly instrument: number
  bidPrice: string
  askPrice: string
  maxBidSize: string
  maxAskSize: string
  /** Frame that brought the texts. */
  frame: number
  setMillis: number
  /** A newer row of the same wallet stands in another log: it counts alone. */
  isHidden = false
  /** Of its log's writer: the latest frame that the row was in. */
  seenFrame = 0
  /** Which sides it quotes, as `best-quotes.ts` keeps it; 0 until somebody asks. */
  sides = 0
  /** What an order is measured by, as `row-numbers.ts` keeps it; null until somebody asks. */
  numbers: RowNumbers | null = null
  /** Its JSON up to the value of `updated_at`; '' until somebody asks. */
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

  /** When it came in last, changed or not. */
  get updatedMillis(): number {
    return Math.max(this.setMillis, this.scope.updatedMillis)
  }

  /** The latest frame that it stands for. */
  get latestFrame(): number {
    return isLater(this.scope.frame, this.frame) ? this.scope.frame : this.frame
  }
}

/** Whether a frame came behind another; numbers wrap. */
export function isLater(frame: number, other: number): boolean {
  return ((frame - other) | 0) > 0
}
