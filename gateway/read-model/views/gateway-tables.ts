import type { EventLogReader } from '../../../engine/memory/event-log.js'
import { recordBytesAt, recordTypeAt } from '../../../engine/memory/layout.js'
import { Side, type Tier } from '../../../schemas/domain.js'
import {
  accountBytes,
  accountTierAt,
  accountWalletAt,
  agentAgentAt,
  agentBytes,
  agentChangeAt,
  agentWalletAt,
  eventMillisAt,
  eventSeqAt,
  indexUnderlyingAt,
  instrumentIdAt,
  levelBytes,
  levelInstrumentAt,
  levelPriceMicrosAt,
  levelSideAt,
  levelSizeLotsAt,
} from '../../../schemas/events.js'
import { EventType } from '../../../schemas/generated/events.js'
import { auctionChangeAt, auctionNumberAt } from '../../../schemas/liquidation.js'
import { AgentChange, AuctionChange } from '../../../schemas/record-values.js'
import { writeAddress } from '../../../schemas/wallet.js'
import { type Answer, bareAnswer } from '../answers.js'
import type { EventViews } from './event-views.js'
import type { LevelBook } from './level-book.js'

/** Versions of an auction's terms that a gateway is told: several times as many as may be bid on. */
const versionsMax = 64
const blockBytesFirst = 1 << 16

/**
 * What a gateway that has lost events must know to go on: instruments, index prices, wallets with their tiers and agents,
 * books, terms of running auctions. They are handed over as the events that would tell them, so a gateway takes them in
 * as it takes any event, and stand at one position of the log.
 */
export class GatewayTables {
  readonly #log: EventLogReader
  /** Latest Instrument event by id, and IndexPrice by underlying: they are few, and seldom. */
  #instruments = new Map<number, Uint8Array>()
  #prices = new Map<number, Uint8Array>()
  #auctions = new Map<number, Uint8Array[]>()

  constructor(log: EventLogReader) {
    this.#log = log
  }

  /** Takes in an event that the views do not keep whole. */
  take(at: number): void {
    const { i32, f64 } = this.#log
    const type = i32[(at + recordTypeAt) >> 2]
    if (type === EventType.Instrument) {
      this.#instruments.set(i32[(at + instrumentIdAt) >> 2], this.#copy(at))
    } else if (type === EventType.IndexPrice) {
      this.#prices.set(i32[(at + indexUnderlyingAt) >> 2], this.#copy(at))
    } else if (type === EventType.Auction) {
      const isOver = i32[(at + auctionChangeAt) >> 2] === AuctionChange.Ended
      this.#auction(f64[(at + auctionNumberAt) >> 3], isOver, at)
    } else if (type === EventType.BootstrapBegin) {
      this.#instruments = new Map()
      this.#prices = new Map()
      this.#auctions = new Map()
    }
  }

  /** All tables as of a position, which the views have reached. */
  answer({ accounts, market, seq, timeMillis }: EventViews, position: number): Answer {
    const records = new RecordBlock(seq, timeMillis)
    for (const record of this.#instruments.values()) records.add(record)
    for (const record of this.#prices.values()) records.add(record)
    for (const [wallet, account] of accounts.wallets()) {
      records.account(wallet, accounts.risk.tier[account] as Tier)
      for (const agent of accounts.agentsOf(wallet)) records.agent(wallet, agent)
    }
    for (const id of this.#instruments.keys()) records.book(id, market.books.of(id))
    for (const versions of this.#auctions.values()) {
      for (const record of versions) records.add(record)
    }
    return bareAnswer({ position, records: records.text() }, seq)
  }

  #auction(auction: number, isOver: boolean, at: number): void {
    if (isOver) {
      this.#auctions.delete(auction)
      return
    }
    const versions = this.#auctions.get(auction) ?? []
    versions.push(this.#copy(at))
    if (versions.length > versionsMax) versions.shift()
    this.#auctions.set(auction, versions)
  }

  #copy(at: number): Uint8Array {
    const { i32, u8 } = this.#log
    return u8.slice(at, at + i32[(at + recordBytesAt) >> 2])
  }
}

/** Event records back to back. */
class RecordBlock {
  readonly #seq: number
  readonly #timeMillis: number
  #bytes = 0
  #u8 = new Uint8Array(blockBytesFirst)
  #view = new DataView(this.#u8.buffer)

  constructor(seq: number, timeMillis: number) {
    this.#seq = seq
    this.#timeMillis = timeMillis
  }

  add(record: Uint8Array): void {
    this.#u8.set(record, this.#room(record.length))
  }

  account(wallet: string, tier: Tier): void {
    const at = this.#begin(accountBytes, EventType.Account)
    this.#view.setInt32(at + accountTierAt, tier, true)
    writeAddress(wallet, this.#u8, at + accountWalletAt)
  }

  agent(wallet: string, agent: string): void {
    const at = this.#begin(agentBytes, EventType.Agent)
    this.#view.setInt32(at + agentChangeAt, AgentChange.Approved, true)
    writeAddress(wallet, this.#u8, at + agentWalletAt)
    writeAddress(agent, this.#u8, at + agentAgentAt)
  }

  book(instrument: number, book: LevelBook): void {
    for (const side of [Side.Buy, Side.Sell]) {
      for (let level = 0; level < book.count(side); level++) {
        const at = this.#begin(levelBytes, EventType.BookLevel)
        this.#view.setFloat64(at + eventSeqAt, book.seq, true)
        this.#view.setFloat64(at + eventMillisAt, book.changedMillis, true)
        this.#view.setFloat64(at + levelPriceMicrosAt, book.priceMicros(side, level), true)
        this.#view.setFloat64(at + levelSizeLotsAt, book.sizeLots(side, level), true)
        this.#view.setInt32(at + levelInstrumentAt, instrument, true)
        this.#view.setInt32(at + levelSideAt, side, true)
      }
    }
  }

  text(): string {
    return Buffer.from(this.#u8.buffer, 0, this.#bytes).toString('base64')
  }

  /** A zeroed record with its header. */
  #begin(bytes: number, type: EventType): number {
    const at = this.#room(bytes)
    this.#view.setInt32(at + recordBytesAt, bytes, true)
    this.#view.setInt32(at + recordTypeAt, type, true)
    this.#view.setFloat64(at + eventSeqAt, this.#seq, true)
    this.#view.setFloat64(at + eventMillisAt, this.#timeMillis, true)
    return at
  }

  #room(bytes: number): number {
    const at = this.#bytes
    this.#bytes += bytes
    if (this.#bytes > this.#u8.length) {
      const grown = new Uint8Array(2 * this.#bytes)
      grown.set(this.#u8)
      this.#u8 = grown
      this.#view = new DataView(grown.buffer)
    }
    return at
  }
}
