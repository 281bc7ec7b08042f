import { Core } from '../engine/core/core.js'
import { remark } from '../engine/core/operator/remark.js'
import { type CoreRef, linkOwnMatchers } from '../engine/core/replica.js'
import { InstrumentTable } from '../engine/pricing/instruments.js'
import { Marks } from '../engine/pricing/marks.js'
import { pricingParametersDefault } from '../engine/pricing/pricing-parameters.js'
import { riskParametersDefault } from '../engine/pricing/scenarios.js'
import { Surface } from '../engine/pricing/surface.js'
import { premiumMicros } from '../engine/risk/money.js'
import {
  FillEffect,
  fillTerms,
  MarginSummary,
  MarginVerdict,
  OrderCheck,
} from '../engine/risk/order-check.js'
import { RiskEngine } from '../engine/risk/risk-engine.js'
import { CoreState } from '../engine/state/core-state.js'
import { EventSink } from '../engine/state/event-sink.js'
import { engineConfigDefault } from '../engine/state/market/engine-config.js'
import { OrderStore } from '../engine/state/orders/orders.js'
import { lotsPerContract, microsPerUsd } from '../schemas/bounds.js'
import { MarginMode, marginModelNames, type Right, Side, TradingMode } from '../schemas/domain.js'
import { SurfaceKind } from '../schemas/record-values.js'
import { Result } from '../schemas/results.js'
import { addressBytes } from '../schemas/wallet.js'
import { randomFrom } from './book-replay/book-flow.js'
import { type BenchResult, type Extra, spread } from './measure/bench-result.js'
import { timeRuns } from './measure/timed-task.js'
import { type QuietRepeats, repeatQuietly } from './quiet-repeats.js'

export interface MarginBenchOptions {
  /** Checks per model. */
  readonly checks: number
  /** Full re-marks. */
  readonly remarks: number
}

const startMillis = Date.UTC(2026, 0, 1)
const millisPerDay = 86_400_000
const indexUsd = 100_000
const expiries = 10
const seed = 31

/** One wallet with a position in every instrument: 10 expiries of 10 strikes, calls and puts. */
const checkedStrikes = 10
/** 10 underlyings of 10 expiries, 15 strikes, calls and puts; 100 wallets hold 100 of them each. */
const remarkedUnderlyings = 10
const remarkedStrikes = 15
const remarkedWallets = 100
const positionsPerWallet = 100

/**
 * Re-marks per figure. All do the same work turn by turn, so each turn counts with its minimum over them: a pause of the
 * machine hits a turn of one re-mark, not the same turn of all. The figure is the longest of these minimums.
 */
const remarksPerFigure = 5
/** Warm-up re-marks before the first figure; fewer in a short run. */
const warmUpsMax = 20

/**
 * Measures the margin check of an order, under every model, directly after a fill of its wallet, which has 200 positions
 * over 10 expiries. Also measures a full re-mark of 3,000 instruments with the margins of 10,000 positions. Closed loop,
 * one thread.
 */
export async function runMarginBench(options: MarginBenchOptions): Promise<BenchResult[]> {
  return [
    ...marginModelNames.map((_, kind) => measureChecks(kind, options.checks)),
    ...(await measureRemarks(options.remarks)),
  ]
}

/** Risk engine over production marks, with priced instruments. */
class Market {
  readonly instruments = new InstrumentTable()
  readonly orders = new OrderStore()
  readonly marks: Marks
  readonly risk: RiskEngine
  readonly random = randomFrom(seed)
  readonly #effect = new FillEffect()

  constructor(underlyings: number, strikes: number, standardIsDefinedRisk: boolean) {
    const { instruments, orders } = this
    const pricing = pricingParametersDefault
    this.marks = new Marks(instruments, { pricing, risk: riskParametersDefault, portfolio: true })
    for (let u = 0; u < underlyings; u++) {
      listChain(instruments, this.marks, u, strikes)
      this.marks.remark(u, startMillis)
    }
    const options = { standardIsDefinedRisk }
    this.risk = new RiskEngine(instruments, orders, this.marks, riskParametersDefault, options)
    this.risk.setTime(startMillis)
  }

  /**
   * Fills an account at the mark.
   */
  fill(account: number, instrument: number, signedLots: number): void {
    const price = this.marks.markMicros[instrument]
    const lots = Math.abs(signedLots)
    const side = signedLots > 0 ? Side.Buy : Side.Sell
    const premium = premiumMicros(price, lots)
    this.risk.fill(
      fillTerms({
        account,
        instrument,
        side,
        sizeLots: lots,
        priceMicros: price,
        premiumMicros: premium,
      }),
      this.#effect,
    )
  }
}

/** Lists calls and puts of ten expiries of one underlying, with surfaces and an index price. */
function listChain(
  instruments: InstrumentTable,
  marks: Marks,
  underlying: number,
  strikes: number,
): void {
  for (let expiry = 1; expiry <= expiries; expiry++) {
    const expiryMillis = startMillis + expiry * 7 * millisPerDay
    for (let place = 0; place < strikes * 2; place++) {
      instruments.add({
        underlyingName: `U${underlying}`,
        expiryDate: 20_260_100 + expiry,
        expiryMillis,
        strikeMicros: (70_000 + ((place >> 1) * 60_000) / strikes) * microsPerUsd,
        right: (place & 1) as Right,
        tradingMode: TradingMode.Both,
        listedMillis: startMillis,
      })
    }
    const values = Float64Array.of(90_000, 0.66, 110_000, 0.58)
    const micros = indexUsd * microsPerUsd
    const surface = new Surface(SurfaceKind.Points, expiryMillis, startMillis, micros, values)
    marks.setSurface(underlying, surface)
  }
  marks.setIndex(underlying, indexUsd * microsPerUsd, startMillis)
}

function measureChecks(kind: number, count: number): BenchResult {
  const market = new Market(1, checkedStrikes, marginModelNames[kind] === 'defined_risk')
  const { instruments, risk, marks, random } = market
  risk.openAccount(0)
  risk.creditCash(0, 1e9 * microsPerUsd)
  if (marginModelNames[kind] === 'portfolio') risk.setMarginMode(0, MarginMode.Portfolio)
  if (risk.modelKind[0] !== kind) throw new Error('margin bench: the wallet has another model')
  // Longs of the lowest strikes cover the shorts, so that every model admits them.
  for (let instrument = 0; instrument < instruments.count; instrument++) {
    const isLong = (instrument >> 1) % 2 === 0
    market.fill(0, instrument, (isLong ? 3 : -1) * lotsPerContract)
  }
  const request = new OrderCheck()
  const verdict = new MarginVerdict()
  let result: Result = Result.Accepted
  let i = 0
  const prepare = () => {
    const instrument = Math.floor(random() * instruments.count)
    market.fill(0, instrument, (i & 1 ? 1 : -1) * (lotsPerContract / 100))
    request.instrument = instrument
    request.side = i++ % 3 === 0 ? Side.Buy : Side.Sell
    request.sizeLots = (1 + Math.floor(random() * 20)) * (lotsPerContract / 100)
    request.priceMicros = marks.markMicros[instrument]
  }
  const run = () => {
    result = risk.checkOrder(request, verdict)
  }
  const finish = () => {
    if (result !== Result.Accepted) throw new Error(`margin bench: an order was refused, ${result}`)
  }
  const nanos = timeRuns({ prepare, run, finish }, count)
  return {
    name: `margin.check.${marginModelNames[kind]}`,
    unit: 'us',
    ...spread(nanos.map((check) => check / 1000)),
    extra: {
      about: 'each after a fill',
      ...{ loop: 'closed', positions: instruments.count, expiries, checks: count },
    },
    threshold: { atMost: 5 },
  }
}

/** Durations, in milliseconds, of the turns of one full re-mark and of all margins after it. */
type RemarkTurns = readonly number[]

/**
 * Measures a re-mark as the core does it. The index of each underlying moves. Batch by batch the core marks a slice,
 * swaps complete marks, and then checks the wallets. Finally the margin of every wallet is computed. A turn is the longest
 * time that an order may have to wait.
 */
async function measureRemarks(count: number): Promise<BenchResult[]> {
  const many = await repeatRemarks(remarkedUnderlyings, count)
  const one = await repeatRemarks(1, count)
  const instruments = remarkedUnderlyings * expiries * remarkedStrikes * 2
  const each = instruments / remarkedUnderlyings
  const positions = remarkedWallets * positionsPerWallet
  const extra = { instruments, positions, remarks: many.figures.flat().length }
  const full = many.figures.flat().map((turns) => turns.reduce((sum, turn) => sum + turn))
  return [
    { name: 'margin.remark', unit: 'ms', ...spread(full), extra, threshold: { atMost: 50 } },
    longestTurnRow('margin.remark.longest-turn', many, {
      ...extra,
      instrumentsPerUnderlying: each,
    }),
    longestTurnRow('margin.remark.longest-turn.one-underlying', one, {
      about: 'all of one underlying, swapped in one turn',
      ...extra,
    }),
  ]
}

function repeatRemarks(underlyings: number, count: number): Promise<QuietRepeats<RemarkTurns[]>> {
  const market = new CoreMarket(underlyings)
  for (let run = 0; run < Math.min(count, warmUpsMax); run++) market.remark()
  return repeatQuietly(Math.ceil(count / remarksPerFigure), async () =>
    Array.from({ length: Math.min(count, remarksPerFigure) }, () => market.remark()),
  )
}

/** Returns the row of the longest turn, for which an order may have to wait; see `remarksPerFigure`. */
function longestTurnRow(
  name: string,
  { figures, quiet }: QuietRepeats<RemarkTurns[]>,
  { about, ...shape }: Extra,
): BenchResult {
  const [[{ length: turns }, ...others]] = figures
  const single = spread(figures.flat().map((remark) => Math.max(...remark)))
  const turn =
    "longest turn, a batch or the margin of one wallet each: a turn's least of some re-marks"
  return {
    name,
    unit: 'ms',
    ...spread(figures.map((remarks) => Math.max(...leastTurns(remarks)))),
    extra: {
      about: about === undefined ? turn : `${about}; ${turn}`,
      ...{ ...shape, turns, remarksPerFigure: others.length + 1 },
      // Single re-marks, with the pauses of the machine.
      ...{ singleMillis: single.value, singleMillisMax: single.range.max, ...quiet },
    },
    threshold: { atMost: 1 },
  }
}

function leastTurns([first, ...others]: readonly RemarkTurns[]): RemarkTurns {
  for (const { length } of others) {
    if (length !== first.length) throw new Error('margin bench: re-marks differ in their turns')
  }
  return first.map((turn, index) => Math.min(turn, ...others.map((remark) => remark[index])))
}

/** Core without journal or clients, with 3,000 instruments over some underlyings. */
class CoreMarket {
  readonly state: CoreState
  readonly #core: Core
  readonly #random = randomFrom(seed)
  readonly #effect = new FillEffect()
  readonly #summary = new MarginSummary()
  #millis = startMillis

  constructor(underlyings: number) {
    const ref: CoreRef = { core: null }
    const state = new CoreState(engineConfigDefault, new EventSink(null), linkOwnMatchers(ref))
    const core = new Core(state, [], null, () => {})
    ref.core = core
    this.state = state
    this.#core = core
    const strikes = (remarkedStrikes * remarkedUnderlyings) / underlyings
    for (let u = 0; u < underlyings; u++) {
      listChain(state.instruments, state.marks, u, strikes)
      remark(state, u)
    }
    this.#settle()
    this.#fillWallets()
  }

  remark(): RemarkTurns {
    const { state } = this
    const turns: number[] = []
    const turn = (work: () => boolean) => {
      const begin = process.hrtime.bigint()
      const isDone = work()
      turns.push(Number(process.hrtime.bigint() - begin) / 1e6)
      return isDone
    }
    this.#millis += 1
    // Every re-mark starts from the same state: the latest batch has no budget left for marking.
    state.remarks.batchNumber = state.batchNumber
    state.remarks.rowsLeft = 0
    for (let u = 0; u < state.instruments.underlyingNames.length; u++) {
      const micros = Math.round(indexUsd * (1 + (this.#random() - 0.5) / 100)) * microsPerUsd
      state.marks.setIndex(u, micros, this.#millis)
      turn(() => {
        remark(state, u)
        return false
      })
    }
    while (!turn(() => this.#core.doWork(this.#millis) === 0));
    for (let account = 0; account < remarkedWallets; account++) {
      turn(() => {
        state.risk.summarize(account, this.#summary)
        return false
      })
    }
    return turns
  }

  #settle(): void {
    while (this.#core.doWork(this.#millis) > 0);
  }

  #fillWallets(): void {
    const { risk, marks, instruments } = this.state
    const address = new Uint8Array(addressBytes)
    const view = new DataView(address.buffer)
    for (let account = 0; account < remarkedWallets; account++) {
      view.setUint32(0, account + 1)
      this.state.openAccount(address, 0)
      this.state.deposit(account, 1e9 * microsPerUsd)
      for (let i = 0; i < positionsPerWallet; i++) {
        const instrument = (i * 30 + Math.floor(this.#random() * 30)) % instruments.count
        const price = marks.markMicros[instrument]
        const side = i & 1 ? Side.Buy : Side.Sell
        const lots = lotsPerContract
        risk.fill(
          fillTerms({
            account,
            instrument,
            side,
            sizeLots: lots,
            priceMicros: price,
            premiumMicros: price,
          }),
          this.#effect,
        )
      }
    }
  }
}
