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
import type { DecisionWitness } from './decision-witness.js'
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

const stamp = { seq: 0, timeMillis: 0 }

/** Everything that the core owns and a snapshot holds; deciding and applying are functions over it. */
export class CoreState {
  config: EngineConfig
  /** Whether the configuration came from the journal: that of an empty engine is no part of the state. */
  isConfigured = false
  /** Fees of trades, as the configuration has them. */
  fees: FeeSchedule
  readonly sink: EventSink
  readonly hash = new StateHash()
  readonly instruments = new InstrumentTable()
  readonly orders = new OrderStore()
  readonly orderIndex = new OrderIndex(this.orders, this.hash)
  readonly accounts = new Accounts(this.hash)
  /** What works in each book at most; derived, no part of the state. */
  readonly bookLots = new BookLots()
  marks: Marks
  risk: RiskEngine
  readonly clock = new ClockState(this.hash)
  /** HaltMode per underlying, as the operator set it; `haltModeOf` says what holds. */
  readonly haltModes = new Uint8Array(underlyingsMax)
  /** HaltMode that an underlying begins with: that of the venue, as long as a halt of all stands. */
  haltModeAtListing: HaltMode = HaltMode.Open
  readonly depositIds = new DepositIds(this.hash)
  /** Who earns as a builder. */
  readonly builders = new Builders(this.hash)
  /** Money that is nobody's cash. */
  readonly funds = new Funds(this.hash)
  /** Expiries that have come, and the samples for the next ones. */
  readonly settlements = new SettlementTable(this.hash)
  /** Perps that are listed, their samples, and the funding still to be paid. */
  readonly fundings = new FundingTable(this.hash)
  readonly mmp = new MmpTable(this.hash)
  readonly liquidations = new LiquidationTable(this.hash)
  readonly providers = new ProviderTable(this.hash)
  readonly rfqs = new RfqTable(this.hash)
  /** Orders that wait for quotes. */
  readonly auctions = new AuctionTable(this.hash, this.rfqs)
  /** Wallets that are kept from orders which nobody looks after. */
  readonly safety = new SafetyTable(this.hash)
  readonly walletStops = new WalletStops(this.hash)
  readonly usernames = new UsernameTable(this.hash)
  /** Referral codes, and who has brought whom here. */
  readonly referrals = new ReferralTable(this.hash)
  /** Browsers that are notified. */
  readonly push = new PushTable(this.hash)
  /** Money on its way to somewhere else. */
  readonly withdrawals = new WithdrawalTable(this.hash, this.funds)
  /** What owners have set by directives. */
  readonly apiWallets = new ApiWallets(this.hash)
  readonly competitions = new CompetitionTable(this.hash)
  readonly notedFiles = new NotedFiles(this.hash)
  /** Orders, and trades, so far. */
  orderCount = 0
  tradeCount = 0
  /** Engine time: the batch's timestamp, never going back. */
  nowMillis = 0
  /** Number of the last closed batch. */
  batchNumber = 0
  readonly expiries = new ExpiryQueue()
  readonly remarks = new RemarkQueue()
  /** Closed instruments that still have working orders to cancel, first come first; whoever changes it notes its cell. */
  readonly closing: number[] = []
  /** What the hash has of all that stands in no table. */
  readonly cells = new StateCells(this)
  readonly matchers: MatcherLinks
  /** Refusals by `-Result`, for metrics; the shell puts shared memory here. No part of the state. */
  rejectCounts: Float64Array = new Float64Array(rejectCountsLength)
  /** During a replay the askers of the commands are gone. */
  replaying = false
  /** Who looks on while orders are decided; null: nobody. No part of the state. */
  witness: DecisionWitness | null = null
  /** Engine version by whose rules is decided: of a batch that is replayed, that of its journal. No part of the state. */
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

  /** Whether the clock was stepped: trading is halted everywhere, and nothing happens by time alone. */
  get clockAlarm(): boolean {
    return this.clock.alarm !== ClockAlarm.None
  }

  /** How the underlying is halted, by its operator or by the clock. */
  haltModeOf(underlying: number): HaltMode {
    return this.clockAlarm ? HaltMode.Halted : (this.haltModes[underlying] as HaltMode)
  }

  /** Takes the memory at once that orders which have ended fill by and by: so it never grows by them. */
  reserve(): void {
    this.orders.reserve(orderSlotsReserved)
    this.orderIndex.reserve(orderSlotsReserved)
  }

  /** Opens the account of the wallet at `source[at]`, which has none. */
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

  /** Index of the underlying, added when new. @returns -1 when there are as many as there may be. */
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

  /** Underlyings that are new from here on begin with this halt mode. */
  haltListings(mode: HaltMode): void {
    this.haltModeAtListing = mode
    this.hash.note(this.cells.listing)
  }

  /** An instrument will expire at its time; a perp never does, and is funded meanwhile. */
  awaitExpiry(instrument: number): void {
    if (this.instruments.isPerp(instrument)) this.fundings.add(instrument)
    else this.expiries.add(this.instruments.expiryMillis[instrument], instrument)
  }

  /** Allows the index of an underlying to rise so far; 0: nothing is fixed yet. */
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

  /** Drops the book of an instrument; its orders are still the core's to cancel. */
  closeBook(instrument: number): void {
    const matcher = this.matchers.of(this.instruments.underlying[instrument])
    this.matchers.closeBook(matcher, instrument)
  }

  /** Whether any wallet has a position in the instrument. */
  hasPositions(instrument: number): boolean {
    const { exposures } = this.risk
    for (let account = 0; account < this.accounts.count; account++) {
      const exposure = this.risk.findExposure(account, instrument)
      if (exposure !== none && exposures.positionLots[exposure] !== 0) return true
    }
    return false
  }

  /** Changes the parameters of every decision from here on. */
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
    // Its accounts have all changed: the check looks at each of them as after a re-mark, and counts those anew.
    // Those of underlyings to come stay as a snapshot knows them.
    this.liquidations.seenMarks.fill(-1, 0, count)
    // The new engine has added the old one's elements a second time.
    this.hash.low = before.low
    this.hash.high = before.high
    assert(
      this.risk.accountCount === this.accounts.count,
      'accounts: each account has a row in the risk ledger',
    )
    for (const slot of this.orders.working()) this.risk.addOrder(slot)
  }

  /** Burns a nonce of an accepted action, in the window of whoever signed it; its halves as signed integers. */
  burnNonce(account: number, signer: Signer, high: number, low: number): void {
    this.#noncesOf(account, signer).burn(high, low)
    this.accounts.noteNonce(account, high, low)
  }

  /** Burns a nonce of the wallet's owner, or of its agents, with all below it. */
  burnNoncesUpTo(account: number, signer: Signer, high: number, low: number): void {
    this.#noncesOf(account, signer).burnUpTo(high, low)
    this.accounts.noteNonce(account, high, low)
  }

  /**
   * Keeps the outcome of an accepted action for repeats, before its event is told; `facts` are copied.
   * @param toldSeq sequence that its answer has; 0: that of its event, which is the next.
   */
  rememberOutcome(
    batch: Batch,
    ticket: number,
    result: Result,
    facts: OrderFacts,
    toldSeq: number,
  ): void {
    const account = batch.account[ticket]
    const outcomes = this.accounts.outcomes[account]
    stamp.seq = toldSeq === 0 ? this.sink.seq + 1 : toldSeq
    stamp.timeMillis = this.sink.timeMillis
    outcomes.remember(batch.command(ticket), result, facts, stamp)
  }

  /** The order in `slot` starts to work: reserves, index, lists and hash know it from here on. */
  startOrder(slot: number): void {
    const { orders } = this
    const madeUp = orders.openLots[slot] + orders.filledLots[slot]
    assert(madeUp === orders.sizeLots[slot], 'order: filled and open lots add up to the size')
    this.orderIndex.add(slot)
    orders.linkInstrument(slot)
    this.risk.addOrder(slot)
    this.accounts.workingOrders[orders.account[slot]]++
    orders.hashRow(slot, this.hash, true)
    orders.hashTexts(slot, this.hash, true)
  }

  /** A working order has begun to wait for quotes, or is on its way to its book. */
  setWorkingStatus(slot: number, status: OrderStatus): void {
    const { orders } = this
    assert(orders.openLots[slot] > 0, 'order: a working order has open lots')
    orders.hashRow(slot, this.hash, false)
    orders.status[slot] = status
    orders.hashRow(slot, this.hash, true)
  }

  /** An order that has waited for quotes rests in its book, behind all that began before it came. */
  enterBookLate(slot: number): void {
    const { orders } = this
    if (orders.nextInInstrument[slot] === none) return
    orders.unlinkInstrument(slot)
    orders.linkInstrument(slot)
    this.auctions.enterLate(orders.orderId[slot], this.orderCount)
  }

  /** A part of a working order was filled: `risk.fill` follows, and once nothing is open `endOrder`. */
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

  /** A working order lost a part unfilled: from here on its size is what was filled and what is open. */
  reduceOrder(slot: number, openLots: number): void {
    const { orders } = this
    const before = orders.openLots[slot]
    assert(openLots > 0 && openLots < before, 'reduce: a part of the order stays')
    orders.hashRow(slot, this.hash, false)
    orders.sizeLots[slot] -= before - openLots
    this.risk.setOpen(slot, openLots)
    orders.hashRow(slot, this.hash, true)
  }

  /** A working order is final: nothing is reserved for it any more. */
  endOrder(slot: number, status: OrderStatus): void {
    assert(status >= OrderStatus.Filled, 'order: it ends with a final status')
    this.#stopOrder(slot)
    this.orders.status[slot] = status
    this.orderIndex.end(slot)
  }

  /** The order was started for a replace that was refused: as if it had never been. */
  discardOrder(slot: number): void {
    assert(this.orders.filledLots[slot] === 0, 'order: a discarded order has no fills')
    this.#stopOrder(slot)
    this.orders.status[slot] = OrderStatus.None
    this.orderIndex.discard(slot)
  }

  /** Windows of nonces and outcomes follow the configuration, so that a snapshot of them loads as they are. */
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
    // An order that is filled to the end has let go of its open size already.
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
