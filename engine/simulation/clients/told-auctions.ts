import {
  eventMillisAt,
  instrumentExpiryDateAt,
  instrumentIdAt,
  instrumentNameAt,
  instrumentRightAt,
  instrumentStrikeMicrosAt,
} from '../../../schemas/events.js'
import { EventType } from '../../../schemas/generated/events.js'
import {
  auctionAccountAt,
  auctionChangeAt,
  auctionNumberAt,
  auctionVersionAt,
  auctionWalletAt,
  liquidationAccountAt,
  liquidationCountAt,
  liquidationModeAt,
  liquidationPositionBytes,
  liquidationPositionEntryMicrosAt,
  liquidationPositionInstrumentAt,
  liquidationPositionLotsAt,
  liquidationPositionsAt,
} from '../../../schemas/liquidation.js'
import { AuctionChange, LiquidationMode } from '../../../schemas/record-values.js'
import type { RecordViews } from '../../../schemas/record-views.js'
import { readText } from '../../memory/bytes.js'
import type { PlannedInstrument } from './market-plan.js'

/** A position as the full phase of its wallet began with it. */
export interface ToldPosition {
  readonly instrument: Pick<
    PlannedInstrument,
    'underlying' | 'expiryDate' | 'strikeMicros' | 'right'
  >
  readonly lots: number
  readonly entryMicros: number
}

/** A running auction as the events told it. */
export interface ToldAuction {
  readonly wallet: Uint8Array
  readonly auction: number
  readonly version: number
  readonly valuationMillis: number
  readonly positions: readonly ToldPosition[]
}

/** Running auctions, for simulated bidders: what a client reads in a status. */
export class ToldAuctions {
  readonly #instruments = new Map<number, ToldPosition['instrument']>()
  readonly #positions = new Map<number, readonly ToldPosition[]>()
  readonly #auctions = new Map<number, ToldAuction>()

  get running(): readonly ToldAuction[] {
    return [...this.#auctions.values()]
  }

  /** Takes in one event, whatever it is. */
  take(log: RecordViews, type: number, at: number): void {
    if (type === EventType.BootstrapBegin) this.#clear()
    else if (type === EventType.Instrument) this.#noteInstrument(log, at)
    else if (type === EventType.Liquidation) this.#notePositions(log, at)
    else if (type === EventType.Auction) this.#noteAuction(log, at)
  }

  #clear(): void {
    this.#positions.clear()
    this.#auctions.clear()
  }

  #noteInstrument({ i32, f64, u8 }: RecordViews, at: number): void {
    this.#instruments.set(i32[(at + instrumentIdAt) >> 2], {
      underlying: readText(u8, at + instrumentNameAt, 16),
      expiryDate: i32[(at + instrumentExpiryDateAt) >> 2],
      strikeMicros: f64[(at + instrumentStrikeMicrosAt) >> 3],
      right: i32[(at + instrumentRightAt) >> 2] as PlannedInstrument['right'],
    })
  }

  #notePositions({ i32, f64 }: RecordViews, at: number): void {
    if (i32[(at + liquidationModeAt) >> 2] !== LiquidationMode.Full) return
    const positions: ToldPosition[] = []
    for (let i = 0; i < i32[(at + liquidationCountAt) >> 2]; i++) {
      const position = at + liquidationPositionsAt + i * liquidationPositionBytes
      const id = i32[(position + liquidationPositionInstrumentAt) >> 2]
      const instrument = this.#instruments.get(id)
      const lots = f64[(position + liquidationPositionLotsAt) >> 3]
      const entryMicros = f64[(position + liquidationPositionEntryMicrosAt) >> 3]
      if (instrument !== undefined) positions.push({ instrument, lots, entryMicros })
    }
    this.#positions.set(i32[(at + liquidationAccountAt) >> 2], positions)
  }

  #noteAuction({ i32, f64, u8 }: RecordViews, at: number): void {
    const account = i32[(at + auctionAccountAt) >> 2]
    if (i32[(at + auctionChangeAt) >> 2] === AuctionChange.Ended) {
      this.#auctions.delete(account)
      return
    }
    this.#auctions.set(account, {
      wallet: u8.slice(at + auctionWalletAt, at + auctionWalletAt + 20),
      auction: f64[(at + auctionNumberAt) >> 3],
      version: f64[(at + auctionVersionAt) >> 3],
      valuationMillis: f64[(at + eventMillisAt) >> 3],
      positions: this.#positions.get(account) ?? [],
    })
  }
}
