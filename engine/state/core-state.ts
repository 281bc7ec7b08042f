import { assert } from '../../schemas/assert.js'
import { orderSlotsReserved, priceMicrosMax, underlyingsMax } from '../../schemas/bounds.js'
import { ClockAlarm, HaltMode, OrderStatus } from '../../schemas/domain.js'
import type { OrderFacts } from '../../schemas/generated/events.js'
import { Signer } from '../../schemas/record-values.js'
import { type Result, rejectCountsLength } from '../../schemas/results.js'
import { none } from '../memory/rows.js'
import { StateReader, StateWriter } from '../memory/state-codec.js'
import { StateHash } from '../memory/state-hash.js'
import { InstrumentTable } from '../pricing/instruments.js'
import { Marks } from '../pricing/marks.js'
import type { MarksOptions } from '../pricing/pricing-parameters.js'
import type { FillTerms } from '../risk/order-check.js'
import { RiskEngine } from '../risk/risk-engine.js'
import { FeeSchedule } from '../risk/trading-fees.js'
import { Accounts } from './accounts/accounts.js'
import { ApiWallets } from './accounts/api-wallets.js'
import { Builders } from './accounts/builders.js'
import { MmpTable } from './accounts/mmp-table.js'
import type { NonceWindow } from './accounts/nonces.js'
import { PushTable } from './accounts/push-table.js'
import { ReferralTable } from './accounts/referral-table.js'
import { SafetyTable } from './accounts/safety-table.js'
import { UsernameTable } from './accounts/username-table.js'
import { WalletStops } from './accounts/wallet-stops.js'
import type { Batch } from './batch.js'
import type { DecisionTrace } from './decision-trace.js'
import { engineVersion } from './engine-version.js'
import type { EventSink } from './event-sink.js'
import { ClockState } from './market/clock-state.js'
import { CompetitionTable } from './market/competition-table.js'
import type { EngineConfig } from './market/engine-config.js'
import { ExpiryQueue } from './market/expiry-queue.js'
import { FundingTable } from './market/funding-table.js'
import { LiquidationTable } from './market/liquidation-table.js'
import { SettlementTable } from './market/settlement-table.js'
import type { MatcherLinks } from './matcher-links.js'
import { DepositIds } from './money/deposit-ids.js'
import { Funds } from './money/funds.js'
import { WithdrawalTable } from './money/withdrawal-table.js'
import { NotedFiles } from './noted-files.js'
import { BookLots } from './orders/book-lots.js'
import { OrderIndex } from './orders/order-index.js'
import { OrderStore } from './orders/orders.js'
import { RemarkQueue } from './remark-queue.js'
import { AuctionTable } from './rfq/auction-table.js'
import { ProviderTable } from './rfq/provider-table.js'
import { RfqTable } from './rfq/rfq-table.js'
import { StateCells } from './state-cells.js'

const timestamp = { seq: 0, timeMillis: 0 }

/** Everything that the core owns and a snapshot holds. Decisions and their application are functions over it. */
export class CoreState {
  config: EngineConfig
  /** True if the configuration came from the journal: that of an empty engine is not part of the state. */
  isConfigured = false
  /** Trading fees of the configuration. */
  fees: FeeSchedule
  readonly sink: EventSink
  readonly hash = new StateHash()
  readonly instruments = new InstrumentTable()
  readonly orders = new OrderStore()
  readonly orderIndex = new OrderIndex(this.orders, this.hash)
  readonly accounts = new Accounts(this.hash)
  /** Working lots of each book, as an upper bound; derived, not part of the state. */
  readonly bookLots = new BookLots()
  marks: Marks
  risk: RiskEngine
  readonly clock = new ClockState(this.hash)
  /** HaltMode per underlying, as the operator set it; `haltModeOf` returns the effective mode. */
  readonly haltModes = new Uint8Array(underlyingsMax)
  /** HaltMode of new underlyings: that of the venue while everything is halted. */
  haltModeAtListing: HaltMode = HaltMode.Open
  readonly depositIds = new DepositIds(this.hash)
  /** Wallets that earn builder fees. */
  readonly builders = new Builders(this.hash)
  /** Money that is not the cash of any wallet. */
  readonly funds = new Funds(this.hash)
  /** Expiries that have come, and the samples for the next ones. */
  readonly settlements = new SettlementTable(this.hash)
  /** Listed perps, their samples, and the funding that is still to be paid. */
  readonly fundings = new FundingTable(this.hash)
  readonly mmp = new MmpTable(this.hash)
  readonly liquidations = new LiquidationTable(this.hash)
  readonly providers = new ProviderTable(this.hash)
  readonly rfqs = new RfqTable(this.hash)
  /** Orders that wait for quotes. */
  readonly auctions = new AuctionTable(this.hash, this.rfqs)
  /** Dead-man timers, and connections with cancel-on-disconnect. */
  readonly safety = new SafetyTable(this.hash)
  readonly walletStops = new WalletStops(this.hash)
  readonly usernames = new UsernameTable(this.hash)
  /** Referral codes, and the referrer of each wallet. */
  readonly referrals = new ReferralTable(this.hash)
  /** Browsers that receive push notifications. */
  readonly push = new PushTable(this.hash)
  /** Withdrawals in transit. */
  readonly withdrawals = new WithdrawalTable(this.hash, this.funds)
  /** API wallets and abstractions that owners set by directives. */
  readonly apiWallets = new ApiWallets(this.hash)
  readonly competitions = new CompetitionTable(this.hash)
  readonly notedFiles = new NotedFiles(this.hash)
  /** Number of orders and trades so far. */
  orderCount = 0
  tradeCount = 0
  /** Engine time: the batch's timestamp, which never goes back. */
  nowMillis = 0
  /** Number of the last closed batch. */
  batchNumber = 0
  readonly expiries = new ExpiryQueue()
  readonly remarks = new RemarkQueue()
  /** Closed instruments that still have working orders to cancel, oldest first. Code that changes it notes its cell. */
  readonly closing: number[] = []
  /** Elements of the hash for state outside the tables. */
  readonly cells = new StateCells(this)
  readonly matchers: MatcherLinks
  /** Errors by `-Result`, for metrics. The shell assigns shared memory. Not part of the state. */
  rejectCounts: Float64Array = new Float64Array(rejectCountsLength)
  /** True during a replay, when the commands have no clients to answer. */
  replaying = false
  /** Admission trace of orders, or null. Not part of the state. */
  trace: DecisionTrace | null = null
  /** Engine version whose rules apply; in a replay, that of the batch's journal. Not part of the state. */
  rulesVersion: number = engineVersion

  constructor(config: EngineConfig, sink: EventSink, matchers: MatcherLinks) {
    this.config = config
    this.fees = new FeeSchedule(config.fees)
    this.sink = sink
    this.matchers = matchers
    this.fundings.configure(config.perpFunding)
    this.builders.configure(config.builders)
    this.marks = new Marks(this.instruments, marksOptions(config))
    this.risk = this.#newRisk()
  }

  /** Returns true if the clock was stepped: trading is halted everywhere, and nothing happens by time alone. */
  get clockAlarm(): boolean {
    return this.clock.alarm !== ClockAlarm.None
  }

  /** Returns the effective halt mode of the underlying, by its operator or by the clock. */
  haltModeOf(underlying: number): HaltMode {
    return this.clockAlarm ? HaltMode.Halted : (this.haltModes[underlying] as HaltMode)
  }

  /** Allocates at once the memory that ended orders fill over time, so that it never grows because of them. */
  reserve(): void {
    this.orders.reserve(orderSlotsReserved)
    this.orderIndex.reserve(orderSlotsReserved)
  }

  /** Opens the account of the wallet at `source[at]`, which must have none. */
  openAccount(source: Uint8Array, at: number): number {
    const { noncesKept, outcomesKept } = this.config
    const account = this.accounts.open(source, at, noncesKept, outcomesKept)
    this.risk.openAccount(account)
    assert(
      this.risk.accountCount === this.accounts.count,
      'accounts: each account has a row in the risk ledger',
    )
    return account
  }

  /**
   * Returns the index of the underlying, and adds a new one.
   * @returns -1 if the maximum is reached.
   */
  addUnderlying(name: string): number {
    const { instruments, cells } = this
    const count = instruments.underlyingNames.length
    const underlying = instruments.addUnderlying(name)
    if (underlying === count) {
      cells.noteUnderlying(underlying)
      cells.noteMarks(underlying)
    }
    return underlying
  }

  setHaltMode(underlying: number, mode: number): void {
    this.haltModes[underlying] = mode
    this.rfqs.mayBeStale = true
    this.cells.noteUnderlying(underlying)
  }

  /** Sets the halt mode of underlyings that are added from here on. */
  haltListings(mode: HaltMode): void {
    this.haltModeAtListing = mode
    this.hash.note(this.cells.listing)
  }

  /** Schedules the expiry of an instrument. A perp has none, and is scheduled for funding instead. */
  awaitExpiry(instrument: number): void {
    if (this.instruments.isPerp(instrument)) this.fundings.add(instrument)
    else this.expiries.add(this.instruments.expiryMillis[instrument], instrument)
  }

  /** Sets the maximum index of an underlying; 0 for none. */
  setMaxIndex(underlying: number, micros: number): void {
    const { maxIndexMicros } = this.instruments
    assert(micros >= 0 && micros <= priceMicrosMax, 'max index: it is 0 or a valid price')
    maxIndexMicros[underlying] = micros
    this.cells.noteUnderlying(underlying)
    this.risk.limits.forgetAll()
  }

  /** Credits a deposit. */
  deposit(account: number, amountMicros: number): void {
    this.risk.creditCash(account, amountMicros)
    assert(Number.isSafeInteger(this.risk.cashMicros[account]), 'deposit: cash is a safe integer')
    this.accounts.deposit(account, amountMicros)
  }

  /** Drops the book of an instrument. The core still has to cancel its orders. */
  closeBook(instrument: number): void {
    const matcher = this.matchers.of(this.instruments.underlying[instrument])
    this.matchers.closeBook(matcher, instrument)
  }

  /** Returns true if any wallet has a position in the instrument. */
  hasPositions(instrument: number): boolean {
    const { exposures } = this.risk
    for (let account = 0; account < this.accounts.count; account++) {
      const exposure = this.risk.findExposure(account, instrument)
      if (exposure !== none && exposures.positionLots[exposure] !== 0) return true
    }
    return false
  }

  /** Sets the parameters of all decisions from here on. */
  configure(config: EngineConfig): void {
    this.isConfigured = true
    this.hash.note(this.cells.config)
    this.#resizeMemories(config)
    this.config = config
    this.fees = new FeeSchedule(config.fees)
    this.fundings.configure(config.perpFunding)
    this.builders.configure(config.builders)
    const marks = new Marks(this.instruments, marksOptions(config))
    const count = this.instruments.underlyingNames.length
    for (let u = 0; u < count; u++) marks.restore(u, this.marks.stateOf(u))
    this.marks = marks
    const saved = new StateWriter()
    this.risk.save(saved)
    this.risk = this.#newRisk()
    const before = { low: this.hash.low, high: this.hash.high }
    this.risk.load(new StateReader(saved.result()))
    // All accounts count as changed. The check visits each of them, as after a re-mark, and counts them again. The
    // marks seen for later underlyings stay as a snapshot has them.
    this.liquidations.seenMarks.fill(-1, 0, count)
    // The new risk engine has added the elements of the old one a second time.
    this.hash.low = before.low
    this.hash.high = before.high
    assert(
      this.risk.accountCount === this.accounts.count,
      'accounts: each account has a row in the risk ledger',
    )
    for (const slot of this.orders.working()) this.risk.addOrder(slot)
  }

  /** Burns the nonce of an accepted action, in the window of its signer. Halves are signed integers. */
  burnNonce(account: number, signer: Signer, high: number, low: number): void {
    this.#noncesOf(account, signer).burn(high, low)
    this.accounts.noteNonce(account, high, low)
  }

  /** Burns a nonce and all below it, for the wallet's owner or for its agents. */
  burnNoncesUpTo(account: number, signer: Signer, high: number, low: number): void {
    this.#noncesOf(account, signer).burnUpTo(high, low)
    this.accounts.noteNonce(account, high, low)
  }

  /**
   * Stores the result of an accepted action for duplicates, before its event is published; copies `facts`.
   * @param publishedSeq sequence in its answer; 0 for that of its own event, which is the next.
   */
  rememberOutcome(
    batch: Batch,
    ticket: number,
    result: Result,
    facts: OrderFacts,
    publishedSeq: number,
  ): void {
    const account = batch.account[ticket]
    const outcomes = this.accounts.outcomes[account]
    timestamp.seq = publishedSeq === 0 ? this.sink.seq + 1 : publishedSeq
    timestamp.timeMillis = this.sink.timeMillis
    outcomes.remember(batch.command(ticket), result, facts, timestamp)
  }

  /** Starts the order in `slot`: adds it to reserves, index, lists and hash. */
  startOrder(slot: number): void {
    const { orders } = this
    const totalLots = orders.openLots[slot] + orders.filledLots[slot]
    assert(totalLots === orders.sizeLots[slot], 'order: filled and open lots add up to the size')
    this.orderIndex.add(slot)
    orders.linkInstrument(slot)
    this.risk.addOrder(slot)
    this.accounts.workingOrders[orders.account[slot]]++
    orders.hashRow(slot, this.hash, true)
    orders.hashTexts(slot, this.hash, true)
  }

  /** Sets the status of a working order that begins to wait for quotes, or moves to its book. */
  setWorkingStatus(slot: number, status: OrderStatus): void {
    const { orders } = this
    assert(orders.openLots[slot] > 0, 'order: a working order has open lots')
    orders.hashRow(slot, this.hash, false)
    orders.status[slot] = status
    orders.hashRow(slot, this.hash, true)
  }

  /**
   * Moves an order from an auction to the end of its instrument's list, after all orders that were in the book before.
   */
  enterBookLate(slot: number): void {
    const { orders } = this
    if (orders.nextInInstrument[slot] === none) return
    orders.unlinkInstrument(slot)
    orders.linkInstrument(slot)
    this.auctions.enterLate(orders.orderId[slot], this.orderCount)
  }

  /** Applies a fill to a working order. `risk.fill` follows, and `endOrder` once nothing is open. */
  fillOrder(slot: number, { sizeLots, premiumMicros }: FillTerms): void {
    const { orders } = this
    const before = orders.openLots[slot]
    const openLots = before - sizeLots
    assert(sizeLots > 0, 'fill: the size is positive')
    assert(openLots >= 0, 'fill: more than the order has open')
    orders.hashRow(slot, this.hash, false)
    orders.filledLots[slot] += sizeLots
    orders.filledMicros[slot] += premiumMicros
    this.risk.setOpen(slot, openLots, true)
    if (openLots === 0) return
    orders.status[slot] = OrderStatus.PartiallyFilled
    orders.hashRow(slot, this.hash, true)
  }

  /** Reduces a working order to its filled lots plus these open lots. */
  reduceOrder(slot: number, openLots: number): void {
    const { orders } = this
    const before = orders.openLots[slot]
    assert(openLots > 0 && openLots < before, 'reduce: a part of the order stays')
    orders.hashRow(slot, this.hash, false)
    orders.sizeLots[slot] -= before - openLots
    this.risk.setOpen(slot, openLots)
    orders.hashRow(slot, this.hash, true)
  }

  /** Ends a working order and releases its reserves. */
  endOrder(slot: number, status: OrderStatus): void {
    assert(status >= OrderStatus.Filled, 'order: it ends with a final status')
    this.#stopOrder(slot)
    this.orders.status[slot] = status
    this.orderIndex.end(slot)
  }

  /** Discards an order that was started for a rejected replace, without a trace. */
  discardOrder(slot: number): void {
    assert(this.orders.filledLots[slot] === 0, 'order: a discarded order has no fills')
    this.#stopOrder(slot)
    this.orders.status[slot] = OrderStatus.None
    this.orderIndex.discard(slot)
  }

  /** Resizes the windows of nonces and results to the configuration, so that a snapshot of them loads unchanged. */
  #resizeMemories(config: EngineConfig): void {
    const { nonces, agentNonces, outcomes } = this.accounts
    const { noncesKept, outcomesKept } = config
    for (let account = 0; account < this.accounts.count; account++) {
      if (noncesKept !== this.config.noncesKept) {
        nonces[account] = nonces[account].resized(noncesKept)
        agentNonces[account] = agentNonces[account]?.resized(noncesKept) ?? null
      }
      if (outcomesKept !== this.config.outcomesKept) {
        outcomes[account] = outcomes[account].resized(outcomesKept)
      }
    }
  }

  #noncesOf(account: number, signer: Signer): NonceWindow {
    const { accounts, config } = this
    if (signer === Signer.Agent) return accounts.agentNoncesOf(account, config.noncesKept)
    return accounts.nonces[account]
  }

  #newRisk(): RiskEngine {
    const { risk, standardIsDefinedRisk, portfolioModeAllowed, bands } = this.config
    const options = { standardIsDefinedRisk, portfolioModeAllowed, bands, fees: this.fees }
    return new RiskEngine(this.instruments, this.orders, this.marks, risk, options, this.hash)
  }

  #stopOrder(slot: number): void {
    const { orders } = this
    // A completely filled order has released its open size already.
    if (orders.openLots[slot] > 0) {
      orders.hashRow(slot, this.hash, false)
      this.risk.setOpen(slot, 0)
    }
    orders.unlinkInstrument(slot)
    this.auctions.forgetEntry(orders.orderId[slot])
    this.accounts.workingOrders[orders.account[slot]]--
  }
}

function marksOptions(config: EngineConfig): MarksOptions {
  return { pricing: config.pricing, risk: config.risk, portfolio: config.portfolioModeAllowed }
}
