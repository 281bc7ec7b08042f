import type { InstrumentKey } from '../../../schemas/generated/commands.js'
import {
  type AnyEvent,
  AuctionEvent,
  EventType,
  InstrumentEvent,
  LiquidationEvent,
} from '../../../schemas/generated/events.js'
import { AuctionChange, LiquidationMode } from '../../../schemas/record-values.js'
import { addressBytes } from '../../../schemas/wallet.js'

const instrumentEvent = new InstrumentEvent()
const liquidation = new LiquidationEvent()
const auctionEvent = new AuctionEvent()

/** Terms that identify an instrument. */
export type InstrumentTerms = Readonly<
  Pick<InstrumentKey, 'underlyingText' | 'expiryDate' | 'strikeMicros' | 'right'>
>

/** Position as it was when the full phase of its wallet began. */
export interface PublishedPosition {
  readonly terms: InstrumentTerms
  readonly lots: number
  readonly entryMicros: number
}

/** Running auction, as the events describe it. */
export interface PublishedAuction {
  readonly wallet: Uint8Array
  readonly auction: number
  readonly version: number
  readonly valuationMillis: number
  readonly positions: readonly PublishedPosition[]
}

/** Running auctions for simulated bidders, as a client reads them in a status. */
export class PublishedAuctions {
  readonly #instruments = new Map<number, InstrumentTerms>()
  readonly #positions = new Map<number, readonly PublishedPosition[]>()
  readonly #auctions = new Map<number, PublishedAuction>()

  get running(): readonly PublishedAuction[] {
    return [...this.#auctions.values()]
  }

  /** Handles any event. */
  take(event: AnyEvent): void {
    const type = event.recordType
    if (type === EventType.BootstrapBegin) this.#clear()
    else if (type === EventType.Instrument) this.#noteInstrument(instrumentEvent.of(event))
    else if (type === EventType.Liquidation) this.#notePositions(liquidation.of(event))
    else if (type === EventType.Auction) this.#noteAuction(auctionEvent.of(event))
  }

  #clear(): void {
    this.#positions.clear()
    this.#auctions.clear()
  }

  #noteInstrument(event: InstrumentEvent): void {
    const { instrument, nameText: underlyingText, expiryDate, strikeMicros, right } = event
    this.#instruments.set(instrument, { underlyingText, expiryDate, strikeMicros, right })
  }

  #notePositions(event: LiquidationEvent): void {
    if (event.mode !== LiquidationMode.Full) return
    const positions: PublishedPosition[] = []
    for (let i = 0; i < event.count; i++) {
      const { instrument, lots, entryMicros } = event.positions(i)
      const terms = this.#instruments.get(instrument)
      if (terms !== undefined) positions.push({ terms, lots, entryMicros })
    }
    this.#positions.set(event.account, positions)
  }

  #noteAuction(event: AuctionEvent): void {
    const { account, change, number: auction, version, timeMillis, u8, walletAt } = event
    if (change === AuctionChange.Ended) {
      this.#auctions.delete(account)
      return
    }
    this.#auctions.set(account, {
      wallet: u8.slice(walletAt, walletAt + addressBytes),
      auction,
      version,
      valuationMillis: timeMillis,
      positions: this.#positions.get(account) ?? [],
    })
  }
}
