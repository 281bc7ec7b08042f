import { exactBound, moneyMicrosMax } from '../../../schemas/bounds.js'
import { LiquidationMode, LiquidationState } from '../../../schemas/record-values.js'
import { hasWaiting } from '../../lifecycle/liquidate.js'
import { none } from '../../memory/rows.js'
import { MarginModelKind } from '../../risk/margin-model.js'
import type { CoreState } from '../../state/core-state.js'
import type { EngineConfig } from '../../state/engine-config.js'
import { Fund } from '../../state/funds.js'
import type { Liquidation } from '../../tables/generated/liquidation.js'
import { type BatchHistory, hashKey } from '../batch-history.js'
import type { Acknowledgements } from '../clients/acknowledgements.js'
import type { Clients } from '../clients/clients.js'
import { addressOf } from '../clients/market-plan.js'
import type { Random } from '../random.js'
import type { SimulatedProcess } from '../simulated-process.js'
import { mustHold } from '../simulation-errors.js'
import type { Statistics } from '../statistics.js'
import type { Trace } from '../trace.js'
import { BuilderWatch } from './builder-watch.js'
import { ClockLedger, type TrueClock } from './clock-ledger.js'
import { clearingOf } from './exact-invariants.js'
import { checkBooks, checkFollower, checkReload, checkState } from './invariants.js'
import { checkOwnersResort } from './owners-resort.js'
import { SlackWatch } from './slack-watch.js'
import { Standby } from './standby.js'
import { StrangersTwin } from './strangers-twin.js'
import { TimerWatch } from './timer-watch.js'

const reloadEvery = [4, 20, 60] as const
/** Of the bound of exact sums, what a wallet has come to that counts as being there. */
const nearBorder = 0.9

/** Looks at everything after every batch, and after every recovery. */
export class Watch {
  readonly #random: Random
  readonly #statistics: Statistics
  readonly #trace: Trace
  readonly #reloadEvery: number
  readonly #slacks: SlackWatch
  #history: BatchHistory | null = null
  #standby: Standby | null = null
  #twin: StrangersTwin | null = null
  readonly #timers = new TimerWatch()
  readonly #builders = new BuilderWatch()
  #timeMillis = 0
  readonly #clockLedger = new ClockLedger()
  #feeMicros = 0

  constructor(random: Random, statistics: Statistics, trace: Trace) {
    this.#random = random
    this.#statistics = statistics
    this.#trace = trace
    this.#reloadEvery = random.pick(reloadEvery)
    this.#slacks = new SlackWatch(random, statistics)
  }

  /** @param matchers of the standby. */
  begin(history: BatchHistory, config: EngineConfig, matchers: number): void {
    this.#history = history
    this.#standby = new Standby(config, matchers)
    // A third of the runs pay for a second engine more.
    const isCrowded = this.#random.below(3) === 0
    this.#twin = isCrowded ? new StrangersTwin(config, this.#random) : null
  }

  /** After a batch of the live core. @param clock null in a start, before anybody is served. */
  checkBatch(process: SimulatedProcess, clock: TrueClock | null): void {
    const { state } = process.core
    this.history.noteHash(state.batchNumber, state.hash.low, state.hash.high)
    this.history.noteElements(state.batchNumber, state.cells.uncounted())
    this.#trace.add(state.hash.low)
    this.#trace.add(state.hash.high)
    mustHold(state.nowMillis >= this.#timeMillis, () => 'engine time goes back')
    this.#timeMillis = state.nowMillis
    this.#clockLedger.check(state, clock)
    if (state.clockAlarm) this.#statistics.add('clock alarms')
    if (state.clock.offsetMillis !== 0) this.#statistics.add('clock left behind')
    checkState(state)
    checkBooks(state, process.matchers)
    this.#slacks.checkBatch(state)
    this.#statistics.add('timers standing', this.#timers.check(state))
    this.#countLiquidations(state.liquidations.rows)
    this.#countPerps(state)
    const batch = this.history.batches[state.batchNumber - 1]
    if (batch !== undefined) this.#builders.take(batch)
    this.#countFees(state)
    this.#countBorders(state)
    if (state.fundings.rounds.length > 0) this.#statistics.add('funding under way')
    if (this.#random.below(this.#reloadEvery) === 0) {
      this.#statistics.add('states reloaded')
      checkReload(state)
      checkOwnersResort(state)
    }
  }

  #countLiquidations(rows: readonly Liquidation[]): void {
    for (const row of rows) {
      if (row.insuranceMicros > 0) this.#statistics.add('insurance paid')
      if (row.deleveragedMicros > 0) this.#statistics.add('losses deleveraged')
      if (row.sharedMicros > 0) this.#statistics.add('losses shared')
      if (row.uncoveredMicros > 0) this.#statistics.add('debts uncovered')
      if (row.winner > 0) this.#statistics.add('auctions won')
      if (row.waiting > 0) this.#statistics.add('liquidations waiting')
      if (row.state === LiquidationState.Liquidated) this.#statistics.add('wallets liquidated')
      else this.#statistics.add(row.mode === LiquidationMode.Partial ? 'partial' : 'in liquidation')
    }
  }

  /** Wallets that hold perps: with profit or loss, in a portfolio, in liquidation. */
  #countPerps({ risk, accounts, liquidations }: CoreState): void {
    const { exposures, firstExposure } = risk
    for (let account = 0; account < accounts.count; account++) {
      let row = firstExposure[account]
      for (; row !== none; row = exposures.nextInAccount[row]) {
        if (exposures.positionLots[row] === 0 || !risk.isPerp(row)) continue
        this.#statistics.add('perps held')
        const isPortfolio = risk.modelKind[account] === MarginModelKind.Portfolio
        if (isPortfolio) this.#statistics.add('perps in a portfolio')
        if (liquidations.find(account) !== null) this.#statistics.add('perps in liquidation')
      }
    }
  }

  /** Batches after which the fee account holds more, and wallets whose money is builders' parts alone. */
  #countFees(state: CoreState): void {
    const { funds, fees } = state
    const micros = funds.balanceMicros[Fund.Fees]
    if (fees.worst > 0 && micros > this.#feeMicros) this.#statistics.add('fees taken')
    this.#feeMicros = micros
    this.#statistics.add('builders paid', this.#builders.check(state))
  }

  /** Wallets at the border of exact sums, and sums over wallets that are beyond it. */
  #countBorders({ accounts, funds, risk, settlements }: CoreState): void {
    for (let account = 0; account < accounts.count; account++) {
      const cashMicros = Math.abs(risk.cashMicros[account])
      const isNear = cashMicros + risk.limits.exposedMicros(account) > exactBound * nearBorder
      if (isNear) this.#statistics.add('wallets at the border')
    }
    for (const { owedMicros, lackingMicros } of settlements.busy) {
      if (owedMicros > moneyMicrosMax) this.#statistics.add('expiries beyond the border')
      if (lackingMicros > moneyMicrosMax) this.#statistics.add('losses beyond the border')
    }
    const clearing = clearingOf(funds)
    if (clearing > moneyMicrosMax) this.#statistics.add('clearing beyond the border')
  }

  /** After a group of the journal: the standby applies what is written. */
  followJournal(process: SimulatedProcess): void {
    this.standby.follow(this.history, process.journal.nextBatchNumber - 1)
    this.#twin?.follow(this.history, process.journal.nextBatchNumber - 1)
  }

  /** When the reader has read all there is, it knows the core's books, and who bore every loss. */
  checkMarket(process: SimulatedProcess): void {
    if (process.market.log.offset() !== process.log.headOffset()) return
    checkFollower(process.core.state, process.market)
    if (process.market.fees.rebates > 0) this.#statistics.add('rebates paid')
    // A batch looks at so many wallets only: what a bid was paid is told when its account's turn has come.
    if (!hasWaiting(process.core.state)) process.market.losses.checkBorder()
  }

  /** After a recovery, before anything else happens: nothing that was told is missing. */
  checkRecovery(
    process: SimulatedProcess,
    toldSeq: number,
    acknowledged: Acknowledgements,
    isMemory: boolean,
  ): void {
    const { state } = process.core
    const { batchNumber } = state
    const known = this.history.hashAfter(batchNumber)
    const hash = hashKey(state.hash.low, state.hash.high)
    mustHold(
      known === undefined || known === hash,
      () => `recovered another state after batch ${batchNumber}`,
    )
    this.history.noteHash(batchNumber, state.hash.low, state.hash.high)
    if (!isMemory) {
      const written = this.standby.batchNumber
      mustHold(
        batchNumber >= written,
        () => `batch ${written} was flushed, ${batchNumber} is the last`,
      )
      mustHold(
        state.sink.seq >= toldSeq,
        () => `event ${toldSeq} was told, ${state.sink.seq} is the last`,
      )
    }
    checkAcknowledged(process, acknowledged)
    this.standby.follow(this.history, batchNumber)
    this.#twin?.follow(this.history, batchNumber)
    this.#timeMillis = state.nowMillis
    this.#timers.clear()
    this.#clockLedger.begin(state)
    checkState(state)
    this.#slacks.begin()
    if (batchNumber > 0) checkReload(state)
  }

  /** When nothing moves any more: everything is durable, told and followed. */
  checkEnd(process: SimulatedProcess, clients: Clients, isMemory: boolean): void {
    const { state } = process.core
    clients.mustBeAnswered()
    checkState(state)
    checkBooks(state, process.matchers)
    checkReload(state)
    this.standby.follow(this.history, state.batchNumber)
    this.#twin?.follow(this.history, state.batchNumber)
    const hash = hashKey(state.hash.low, state.hash.high)
    mustHold(this.standby.hash === hash, () => 'a replay of the whole journal has another state')
    let depositsMicros = 0n
    for (let account = 0; account < state.accounts.count; account++) {
      depositsMicros += BigInt(state.accounts.depositsMicros[account])
    }
    const told = clients.depositsMicros
    mustHold(isMemory || told === depositsMicros, () => `deposits: ${depositsMicros}, told ${told}`)
  }

  get history(): BatchHistory {
    mustHold(this.#history !== null, () => 'watch: begun before it is used')
    return this.#history
  }

  get standby(): Standby {
    mustHold(this.#standby !== null, () => 'watch: begun before it is used')
    return this.#standby
  }
}

/** No acknowledged action is missing: its nonce is used up, its event not ahead of the state. */
function checkAcknowledged(process: SimulatedProcess, acknowledged: Acknowledgements): void {
  const { accounts, sink } = process.core.state
  acknowledged.forEach(({ key, wallet, command }, seq) => {
    const account = accounts.find(addressOf(wallet), 0)
    const { nonceHigh: high, nonceLow: low } = command
    const isBurned =
      account >= 0 &&
      (accounts.nonces[account].isBurned(high, low) ||
        accounts.agentNonces[account]?.isBurned(high, low) === true)
    const isThere = isBurned && seq <= sink.seq
    mustHold(isThere, () => `the acknowledged action ${key} of event ${seq} is missing`)
  })
}
