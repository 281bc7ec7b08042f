import { clearingOf, inTransitOf } from '../../../engine/invariants/money.js'
import { InvariantSweep } from '../../../engine/invariants/sweep.js'
import { hasWaiting } from '../../../engine/lifecycle/liquidate.js'
import type { FeeSchedule } from '../../../engine/risk/trading-fees.js'
import type { EngineConfig } from '../../../engine/state/market/engine-config.js'
import type { LiquidationTable } from '../../../engine/state/market/liquidation-table.js'
import type { SettlementTable } from '../../../engine/state/market/settlement-table.js'
import { Fund, type Funds } from '../../../engine/state/money/funds.js'
import { positionsOf, type WalletRowsState } from '../../../engine/state/wallet-rows.js'
import type { Liquidation } from '../../../engine/tables/generated/liquidation.js'
import { exactBound, moneyMicrosMax } from '../../../schemas/bounds.js'
import { MarginModelKind } from '../../../schemas/domain.js'
import { LiquidationMode, LiquidationState } from '../../../schemas/record-values.js'
import type { Acknowledgements } from '../clients/acknowledgements.js'
import type { Clients } from '../clients/clients.js'
import { addressOf } from '../clients/market-plan.js'
import type { SimulatedProcess } from '../process/simulated-process.js'
import type { AuctionLedger } from '../published/auction-ledger.js'
import { type BatchHistory, isSameHash } from '../run/batch-history.js'
import { Random } from '../run/random.js'
import type { Run } from '../run/run.js'
import { mustHold } from '../run/simulation-errors.js'
import { BuilderWatch, type BuilderWatchState } from './builder-watch.js'
import { ClockLedger, type TrueClock } from './clock-ledger.js'
import { mustBeNone } from './exact-invariants.js'
import { checkBooks, checkFollower, checkReload, checkState } from './invariants.js'
import { checkKeys } from './key-invariants.js'
import { checkOwnersResort } from './owners-resort.js'
import { SlackWatch } from './slack-watch.js'
import { Standby } from './standby.js'
import { StopWatch } from './stop-watch.js'
import { StrangersTwin } from './strangers-twin.js'
import { TimerWatch } from './timer-watch.js'
import { WithdrawalWatch } from './withdrawal-watch.js'

interface WatchState extends WalletRowsState, BuilderWatchState {
  readonly liquidations: LiquidationTable
  readonly funds: Funds
  readonly fees: FeeSchedule
  readonly settlements: SettlementTable
}

const reloadEvery = [4, 20, 60] as const
/** Share of the exact range from which a wallet counts as being at its limit. */
const nearBorder = 0.9

/** Checks everything after every batch and every recovery. */
export class Watch {
  readonly #run: Run
  readonly #random: Random
  readonly #reloadEvery: number
  readonly #history: BatchHistory
  readonly #standby: Standby
  /** Engines that follow the durable batches: the standby, and in some runs a second one. */
  readonly #engines: readonly Standby[]
  readonly #slacks: SlackWatch
  readonly #timers = new TimerWatch()
  readonly #builders = new BuilderWatch()
  readonly #withdrawals: WithdrawalWatch
  readonly #stops: StopWatch
  readonly #clockLedger = new ClockLedger()
  /** Checker of a running venue, which must find nothing here. */
  readonly #sweep = new InvariantSweep()
  #timeMillis = 0
  #feeMicros = 0

  /** @param matchers of the standby. */
  constructor(run: Run, history: BatchHistory, config: EngineConfig, matchers: number) {
    this.#run = run
    this.#random = new Random(run.seed, 'watch')
    this.#reloadEvery = this.#random.pick(reloadEvery)
    this.#slacks = new SlackWatch(this.#random, run.statistics)
    this.#withdrawals = new WithdrawalWatch(run.statistics)
    this.#stops = new StopWatch(run.statistics)
    this.#history = history
    this.#standby = new Standby(config, matchers)
    // A third of the runs pay for a second engine.
    const isCrowded = this.#random.below(3) === 0
    const twins = isCrowded ? [new StrangersTwin(config, this.#random)] : []
    this.#engines = [this.#standby, ...twins]
  }

  /**
   * Checks the live core after a batch.
   * @param clock null during a start, before the venue serves anybody
   */
  checkBatch(process: SimulatedProcess, clock: TrueClock | null): void {
    const { state } = process.core
    const { statistics, trace } = this.#run
    this.#history.hashes.note(state.batchNumber, state.hash)
    this.#history.elements.note(state.batchNumber, state.cells.uncounted())
    trace.add(state.hash.low)
    trace.add(state.hash.high)
    mustHold(state.nowMillis >= this.#timeMillis, () => 'engine time goes back')
    this.#timeMillis = state.nowMillis
    this.#clockLedger.check(state, clock)
    if (state.clockAlarm) statistics.add('clock alarms')
    if (state.clock.offsetMillis !== 0) statistics.add('clock left behind')
    checkState(state)
    checkBooks(state, process.matchers)
    for (const breach of this.#sweep.look({ state, matchers: process.matchers })) mustBeNone(breach)
    this.#slacks.checkBatch(state)
    this.#stops.checkBatch(state)
    statistics.add('timers standing', this.#timers.check(state))
    this.#countLiquidations(state.liquidations.rows)
    this.#countPerps(state)
    const batch = this.#history.batches[state.batchNumber - 1]
    if (batch !== undefined) this.#builders.take(batch)
    this.#withdrawals.checkBatch(state, batch)
    this.#countFees(state)
    this.#countBorders(state)
    if (state.fundings.rounds.length > 0) statistics.add('funding under way')
    if (this.#random.below(this.#reloadEvery) === 0) {
      statistics.add('states reloaded')
      checkReload(state)
      checkOwnersResort(state)
    }
  }

  #countLiquidations(rows: readonly Liquidation[]): void {
    const { statistics } = this.#run
    for (const row of rows) {
      if (row.insuranceMicros > 0) statistics.add('insurance paid')
      if (row.deleveragedMicros > 0) statistics.add('losses deleveraged')
      if (row.sharedMicros > 0) statistics.add('losses shared')
      if (row.uncoveredMicros > 0) statistics.add('debts uncovered')
      if (row.winner > 0) statistics.add('auctions won')
      if (row.waiting > 0) statistics.add('liquidations waiting')
      if (row.state === LiquidationState.Liquidated) statistics.add('wallets liquidated')
      else statistics.add(row.mode === LiquidationMode.Partial ? 'partial' : 'in liquidation')
    }
  }

  /** Counts wallets that hold perps, in a portfolio account or in liquidation. */
  #countPerps(state: WatchState): void {
    const { risk, accounts, liquidations } = state
    const { statistics } = this.#run
    for (let account = 0; account < accounts.count; account++) {
      const perps = positionsOf(state, account).filter((row) => risk.isPerp(row)).length
      if (perps === 0) continue
      statistics.add('perps held', perps)
      const isPortfolio = risk.modelKind[account] === MarginModelKind.Portfolio
      if (isPortfolio) statistics.add('perps in a portfolio', perps)
      if (liquidations.find(account) !== null) statistics.add('perps in liquidation', perps)
    }
  }

  /** Counts batches that increase the fee account, and wallets whose money comes from builder fees alone. */
  #countFees(state: WatchState): void {
    const { statistics } = this.#run
    const micros = state.funds.balanceMicros[Fund.Fees]
    if (state.fees.worst > 0 && micros > this.#feeMicros) statistics.add('fees taken')
    this.#feeMicros = micros
    statistics.add('builders paid', this.#builders.check(state))
  }

  /** Counts wallets at the limit of exact sums, and sums over wallets beyond it. */
  #countBorders({ accounts, funds, risk, settlements }: WatchState): void {
    const { statistics } = this.#run
    for (let account = 0; account < accounts.count; account++) {
      const cashMicros = Math.abs(risk.cashMicros[account])
      const isNear = cashMicros + risk.limits.exposedMicros(account) > exactBound * nearBorder
      if (isNear) statistics.add('wallets at the border')
    }
    for (const { owedMicros, lackingMicros } of settlements.busy) {
      if (owedMicros > moneyMicrosMax) statistics.add('expiries beyond the border')
      if (lackingMicros > moneyMicrosMax) statistics.add('losses beyond the border')
    }
    if (clearingOf(funds) > moneyMicrosMax) statistics.add('clearing beyond the border')
  }

  /** Lets the standby apply the written batches after a journal group. */
  followJournal(process: SimulatedProcess): void {
    this.#follow(process.journal.nextBatchNumber - 1)
  }

  #follow(batchNumber: number): void {
    for (const engine of this.#engines) engine.follow(this.#history, batchNumber)
  }

  /** Checks that a reader that has read everything knows the core's books and who bore every loss. */
  checkMarket({ market, core, log }: SimulatedProcess): void {
    if (market.log.offset() !== log.headOffset()) return
    checkFollower(core.state, market)
    checkKeys(core.state, market.keys)
    if (market.fees.rebates > 0) this.#run.statistics.add('rebates paid')
    if (market.packages.executed > 0) this.#run.statistics.add('packages traded')
    market.waiting.checkBorder()
    market.purges.checkBorder()
    for (const [name, count] of Object.entries(market.purges.takeCounts())) {
      if (count > 0) this.#run.statistics.add(`ended ${name}`, count)
    }
    this.#countWaiting(market.waiting)
    // A batch checks a limited number of wallets: the event of a bid's payment appears when its account is due.
    if (!hasWaiting(core.state)) market.losses.checkBorder()
  }

  #countWaiting(waiting: AuctionLedger): void {
    for (const [name, count] of Object.entries(waiting.takeCounts())) {
      if (count > 0) this.#run.statistics.add(`auctions ${name}`, count)
    }
  }

  /** Checks after a recovery, before anything else happens, that nothing published is missing. */
  checkRecovery(
    process: SimulatedProcess,
    publishedSeq: number,
    acknowledged: Acknowledgements,
    isMemory: boolean,
  ): void {
    const { state } = process.core
    const { batchNumber, hash, sink } = state
    const isKnown = this.#history.hashes.fits(batchNumber, hash)
    mustHold(isKnown, () => `recovered another state after batch ${batchNumber}`)
    this.#history.hashes.note(batchNumber, hash)
    if (!isMemory) {
      const written = this.#standby.batchNumber
      const lost = () => `batch ${written} was flushed, ${batchNumber} is the last`
      mustHold(batchNumber >= written, lost)
      mustHold(
        sink.seq >= publishedSeq,
        () => `event ${publishedSeq} was published, ${sink.seq} is the last`,
      )
    }
    checkAcknowledged(process, acknowledged)
    this.#follow(batchNumber)
    this.#timeMillis = state.nowMillis
    this.#timers.clear()
    this.#clockLedger.begin(state)
    checkState(state)
    this.#slacks.begin()
    this.#withdrawals.begin()
    this.#stops.begin()
    if (batchNumber > 0) checkReload(state)
  }

  /** Checks the quiescent end: everything is durable, published and followed. */
  checkEnd(process: SimulatedProcess, clients: Clients, isMemory: boolean): void {
    const { state } = process.core
    const { batchNumber, accounts } = state
    clients.mustBeAnswered()
    checkState(state)
    checkBooks(state, process.matchers)
    checkReload(state)
    this.#follow(batchNumber)
    const isSame = isSameHash(this.#standby.hash, state.hash)
    mustHold(isSame, () => 'a replay of the whole journal has another state')
    // Money in transit has left the wallets but not the venue.
    let depositsMicros = clients.delivered.micros + inTransitOf(state)
    for (let account = 0; account < accounts.count; account++) {
      depositsMicros += BigInt(accounts.depositsMicros[account])
    }
    const published = clients.depositsMicros
    const what = () =>
      `deposits less what was given back: ${depositsMicros}, published ${published}`
    mustHold(isMemory || published === depositsMicros, what)
  }
}

/** Checks that no acknowledged action is missing: its nonce is used up, and its event is not ahead of the state. */
function checkAcknowledged({ core }: SimulatedProcess, acknowledged: Acknowledgements): void {
  const { accounts, sink } = core.state
  for (const { action, outcome } of acknowledged.all) {
    const account = accounts.find(addressOf(action.wallet), 0)
    const { nonceHigh, nonceLow } = action.command
    const windows = [accounts.nonces[account], accounts.agentNonces[account]]
    const isBurned = windows.some((window) => window?.isBurned(nonceHigh, nonceLow))
    const isThere = isBurned && outcome.seq <= sink.seq
    const what = () => `the acknowledged action ${action.key} of event ${outcome.seq} is missing`
    mustHold(isThere, what)
  }
}
