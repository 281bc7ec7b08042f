import { isFinalRfq, Side, type Tier } from '../../../schemas/domain.js'
import {
  AccountEvent,
  AgentEvent,
  AnyEvent,
  ApiWalletEvent,
  AuctionEvent,
  BookLevelEvent,
  EventType,
  InstrumentEvent,
  ProviderEvent,
  RfqEvent,
  RfqQuoteEvent,
} from '../../../schemas/generated/events.js'
import { parseHex } from '../../../schemas/hex.js'
import {
  AgentChange,
  AuctionChange,
  ProviderChange,
  RfqQuoteChange,
} from '../../../schemas/record-values.js'
import { type RecordSink, viewsOf } from '../../../schemas/record-views.js'
import { formatUuid } from '../../../schemas/uuid.js'
import { formatAddress, writeAddress } from '../../../schemas/wallet.js'
import { type Answer, bareAnswer } from '../../wire/answers.js'
import { indexPriceOf } from '../../wire/market-data.js'
import type { EventViews } from './event-views.js'
import type { LevelBook } from './level-book.js'

/** Versions of an auction's terms sent to a gateway: several times as many as accept bids. */
const versionsMax = 64
const blockBytesFirst = 1 << 16

const instrument = new InstrumentEvent()
const auction = new AuctionEvent()
const header = new AnyEvent()
const provider = new ProviderEvent()
const rfq = new RfqEvent()
const quote = new RfqQuoteEvent()
const account = new AccountEvent()
const agent = new AgentEvent()
const apiWallet = new ApiWalletEvent()
const level = new BookLevelEvent()

/**
 * State that a gateway needs after it has lost events: instruments, index prices, wallets with tiers, agents and keys,
 * books, terms of running auctions, open RFQs, quote providers. Encoded as the corresponding events, which a gateway
 * applies like any others, as of one offset of the log.
 */
export class GatewayTables {
  /** Latest Instrument event by id, and IndexPrice by underlying. Both are few and rare. */
  #instruments = new Map<number, Uint8Array>()
  #prices = new Map<number, Uint8Array>()
  #auctions = new Map<number, Uint8Array[]>()
  readonly #rfqs = new RfqRecords()
  /** By account. */
  #providers = new Map<number, Uint8Array>()

  /** Stores an event whose content the views do not retain completely. */
  take(event: AnyEvent): void {
    const { recordType: type } = event
    if (type === EventType.Instrument) {
      this.#instruments.set(instrument.of(event).instrument, bytesOf(event))
    } else if (type === EventType.IndexPrice) {
      this.#prices.set(indexPriceOf(event).underlying(), bytesOf(event))
    } else if (type === EventType.Auction) this.#auction(auction.of(event))
    else if (type === EventType.Rfq) this.#rfqs.takeRfq(rfq.of(event))
    else if (type === EventType.RfqQuote) this.#rfqs.takeQuote(quote.of(event))
    else if (type === EventType.Provider) this.#provider(provider.of(event))
    else if (type === EventType.BootstrapBegin) {
      this.#instruments = new Map()
      this.#prices = new Map()
      this.#auctions = new Map()
      this.#rfqs.clear()
      this.#providers = new Map()
    }
  }

  /** Returns all tables as of an offset of the log, which the views have reached. */
  answer({ accounts, market, seq, timeMillis }: EventViews, logOffset: number): Answer {
    const records = new RecordBlock(seq, timeMillis)
    for (const record of this.#instruments.values()) records.add(record)
    for (const record of this.#prices.values()) records.add(record)
    for (const [wallet, account] of accounts.wallets()) {
      records.account(wallet, accounts.risk.tier[account] as Tier)
      for (const agent of accounts.agentsOf(wallet)) records.agent(wallet, agent)
      for (const [name, address] of accounts.apiWalletsOf(wallet)) {
        records.apiWallet(wallet, name, address)
      }
    }
    for (const id of this.#instruments.keys()) records.book(id, market.books.of(id))
    for (const versions of this.#auctions.values()) {
      for (const record of versions) records.add(record)
    }
    for (const record of this.#rfqs.all()) records.add(record)
    for (const record of this.#providers.values()) records.add(record)
    return bareAnswer({ logOffset, records: records.text() }, seq)
  }

  /** Stores a provider's current state. The session that came or went is irrelevant. */
  #provider(event: ProviderEvent): void {
    const record = bytesOf(event)
    provider.over(viewsOf(record.buffer), 0).change = ProviderChange.Bootstrap
    this.#providers.set(provider.account, record)
  }

  #auction(event: AuctionEvent): void {
    const { number, change } = event
    if (change === AuctionChange.Ended) {
      this.#auctions.delete(number)
      return
    }
    const versions = this.#auctions.get(number) ?? []
    versions.push(bytesOf(event))
    if (versions.length > versionsMax) versions.shift()
    this.#auctions.set(number, versions)
  }
}

/** Latest event of each open RFQ, each invited provider, and each live quote. */
class RfqRecords {
  readonly #byId = new Map<string, { rfq: Uint8Array; readonly quotes: Map<string, Uint8Array> }>()

  clear(): void {
    this.#byId.clear()
  }

  takeRfq(event: RfqEvent): void {
    const id = formatUuid(event.u8, event.rfqIdAt)
    const known = this.#byId.get(id)
    if (isFinalRfq(event.status)) this.#byId.delete(id)
    else if (known === undefined) this.#byId.set(id, { rfq: bytesOf(event), quotes: new Map() })
    else known.rfq = bytesOf(event)
  }

  takeQuote(event: RfqQuoteEvent): void {
    const { change, count, u8 } = event
    const quotes = this.#byId.get(formatUuid(u8, event.rfqIdAt))?.quotes
    if (quotes === undefined) return
    // An event without a quote may be an invitation.
    const isInvited = change === RfqQuoteChange.Invited || change === RfqQuoteChange.Bootstrap
    if (isInvited) quotes.set(formatAddress(u8, event.walletAt), bytesOf(event))
    if (count === 0) return
    const id = formatUuid(u8, event.quoteIdAt)
    const isLive = change === RfqQuoteChange.Made || change === RfqQuoteChange.Bootstrap
    if (isLive) quotes.set(id, bytesOf(event))
    else quotes.delete(id)
  }

  /** Returns each RFQ before its quotes. */
  all(): readonly Uint8Array[] {
    return [...this.#byId.values()].flatMap(({ rfq, quotes }) => [rfq, ...quotes.values()])
  }
}

function bytesOf({ u8, at, recordBytes }: TableEvent): Uint8Array {
  return u8.slice(at, at + recordBytes)
}

type TableEvent = AnyEvent | AuctionEvent | ProviderEvent | RfqEvent | RfqQuoteEvent

/** Event records, back to back. */
class RecordBlock implements RecordSink {
  views = viewsOf(new ArrayBuffer(blockBytesFirst))
  readonly #seq: number
  readonly #timeMillis: number
  #bytes = 0

  constructor(seq: number, timeMillis: number) {
    this.#seq = seq
    this.#timeMillis = timeMillis
  }

  add(record: Uint8Array): void {
    const at = this.#room(record.length)
    this.views.u8.set(record, at)
  }

  account(wallet: string, tier: Tier): void {
    account.claim(this)
    account.tier = tier
    writeAddress(wallet, account.u8, account.walletAt)
  }

  agent(wallet: string, address: string): void {
    agent.claim(this)
    agent.change = AgentChange.Approved
    writeAddress(wallet, agent.u8, agent.walletAt)
    writeAddress(address, agent.u8, agent.agentAt)
  }

  /**
   * @param name Name of the key, as hexadecimal text.
   */
  apiWallet(wallet: string, name: string, address: string): void {
    apiWallet.claim(this)
    apiWallet.change = AgentChange.Approved
    writeAddress(wallet, apiWallet.u8, apiWallet.walletAt)
    writeAddress(address, apiWallet.u8, apiWallet.apiWalletAt)
    apiWallet.u8.set(parseHex(name)!, apiWallet.nameAt)
  }

  book(instrument: number, book: LevelBook): void {
    for (const side of [Side.Buy, Side.Sell]) {
      for (let place = 0; place < book.count(side); place++) {
        level.claim(this)
        level.seq = book.seq
        level.timeMillis = book.changedMillis
        level.priceMicros = book.priceMicros(side, place)
        level.sizeLots = book.sizeLots(side, place)
        level.instrument = instrument
        level.side = side
      }
    }
  }

  text(): string {
    return Buffer.from(this.views.u8.buffer, 0, this.#bytes).toString('base64')
  }

  /** Claims a zeroed record with its header. */
  tryClaim(bytes: number, type: number): number {
    const at = this.#room(bytes)
    header.over(this.views, at)
    header.recordBytes = bytes
    header.recordType = type
    header.seq = this.#seq
    header.timeMillis = this.#timeMillis
    return at
  }

  #room(bytes: number): number {
    const at = this.#bytes
    this.#bytes += bytes
    if (this.#bytes > this.views.u8.length) {
      const grown = viewsOf(new ArrayBuffer(2 * this.#bytes))
      grown.u8.set(this.views.u8)
      this.views = grown
    }
    return at
  }
}
