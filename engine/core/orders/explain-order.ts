import {
  detailsCount,
  exactBound,
  lotsPerContract,
  underlyingsMax,
} from '../../../schemas/bounds.js'
import { OrderFlag } from '../../../schemas/domain.js'
import { AnyCommand } from '../../../schemas/generated/commands.js'
import type { RecordViews } from '../../../schemas/record-views.js'
import { Result } from '../../../schemas/results.js'
import { none } from '../../memory/rows.js'
import { AdmissionCheck, type CheckNumbers } from '../../risk/admission-witness.js'
import { MarginVerdict, OrderCheck } from '../../risk/order-check.js'
import type { Batch } from '../../state/batch.js'
import type { DecisionWitness, JudgedNew } from '../../state/decision-witness.js'
import { perpTermsOf } from '../steps/perp-terms.js'
import { climbChecks, type DecideOrderState, NewOrder, otherOrders } from './decide-order.js'

/** A check as it was made. */
export interface SeenCheck {
  readonly check: AdmissionCheck
  readonly result: Result
  readonly numbers: CheckNumbers | null
  /** Whether it was asked for this alone, behind the one that had refused the order. */
  readonly isBeyond: boolean
}

/** What was seen of a signed command: how it was decided, and why. */
export interface SeenOrder {
  readonly views: RecordViews
  /** Of its record, an item's own within a bulk. */
  readonly at: number
  readonly account: number
  /** In the order in which they were made. */
  checks: SeenCheck[]
  /** How often it was judged: more than once behind others of its batch. */
  judgedCount: number
  isRepeat: boolean
  /** Passed below initial margin, as exempt. */
  isExempt: boolean
  result: Result
  /** Of a refusal: the values that the result's text names, in the order of its row in schemas/results.ts. */
  details: Float64Array
  /** 0: no order came of it. */
  orderId: number
  /** Of one that was too large: a size, in lots, that would have passed; 0: none was found, or looked for. */
  passingLots: number
}

/** Checks behind which nothing can be asked any more once they have failed: what those are about is not there. */
const lastChecks: readonly AdmissionCheck[] = [
  AdmissionCheck.ReplacedOrder,
  AdmissionCheck.Instrument,
  AdmissionCheck.WalletLimits,
  AdmissionCheck.BookLimit,
  AdmissionCheck.IndexPrice,
  AdmissionCheck.MarkPrice,
]

/** Checks that a smaller size may pass. */
const sizeChecks: readonly AdmissionCheck[] = [
  AdmissionCheck.ReduceOnly,
  AdmissionCheck.Tier,
  AdmissionCheck.Cash,
  AdmissionCheck.NakedShorts,
  AdmissionCheck.Margin,
]

/**
 * Sees the checks of orders as the core makes them, with what each compares, in the state of that moment. It lists none
 * itself: what is seen is what was asked. Of an order that is refused the checks behind are asked for once more.
 */
export class OrderWitness implements DecisionWitness {
  readonly #state: DecideOrderState
  readonly #seen: SeenOrder[] = []
  readonly #beyond = new NewOrder()
  #current: SeenOrder | null = null
  #batch: Batch | null = null
  #ticket: number = none
  #order: JudgedNew | null = null
  #isBeyond = false

  constructor(state: DecideOrderState) {
    this.#state = state
    this.#beyond.check.starts = false
  }

  /** Signed commands since the last `clear`, in the order in which they came. */
  get seen(): readonly SeenOrder[] {
    return this.#seen
  }

  clear(): void {
    this.#seen.length = 0
    this.#current = null
  }

  comes({ at, views }: AnyCommand, account: number): void {
    this.#current = this.#add(views, at, account)
    this.#batch = null
  }

  repeats(): void {
    this.#current!.isRepeat = true
  }

  begins(batch: Batch, ticket: number, order: JudgedNew): void {
    const seen = this.#find(batch, ticket)
    seen.checks = seen.checks.filter(({ check }) => check < AdmissionCheck.OpenOrders)
    this.#current = seen
    this.#batch = batch
    this.#ticket = ticket
    this.#order = order
  }

  hears(check: AdmissionCheck, result: Result, numbers: CheckNumbers | null): boolean {
    const isFailed = result !== Result.Accepted
    const { checks } = this.#current!
    if (!checks.some((known) => known.check === check)) {
      const compared = numbers ?? this.#numbersOf(check, result)
      checks.push({ check, result, numbers: compared, isBeyond: this.#isBeyond })
    }
    return isFailed && (!this.#isBeyond || lastChecks.includes(check))
  }

  ends(batch: Batch, ticket: number, oldNamed: Result, result: Result): void {
    const seen = this.#current!
    seen.judgedCount++
    seen.result = result
    seen.isExempt = result === Result.Accepted && this.#order!.verdict.isExempt
    if (result !== Result.Accepted) this.#lookBeyond(batch, ticket, oldNamed, seen)
  }

  starts(batch: Batch, ticket: number, slot: number): void {
    this.#find(batch, ticket).orderId = this.#state.orders.orderId[slot]
  }

  refuses(batch: Batch, ticket: number, result: Result): void {
    const seen = this.#find(batch, ticket)
    const at = ticket * detailsCount
    seen.result = result
    seen.details = batch.details.slice(at, at + detailsCount)
    seen.orderId = 0
    if (failedOf(seen) !== null) return
    const check = result === Result.NonceUsed ? AdmissionCheck.Nonce : AdmissionCheck.Book
    seen.checks = seen.checks.filter((known) => known.check !== check)
    seen.checks.push({ check, result, numbers: null, isBeyond: false })
  }

  /** Asks for the checks behind the one that has refused the order. A refusal has changed nothing, and neither does this. */
  #lookBeyond(batch: Batch, ticket: number, oldNamed: Result, seen: SeenOrder): void {
    const failed = failedOf(seen)!
    if (lastChecks.includes(failed.check)) return
    const at = ticket * detailsCount
    const details = batch.details.slice(at, at + detailsCount)
    const flags = batch.flags[ticket]
    this.#isBeyond = true
    this.#order = this.#beyond
    this.#beyond.check.witness = this
    climbChecks(this.#state, batch, ticket, oldNamed, this.#beyond)
    this.#isBeyond = false
    batch.details.set(details, at)
    batch.flags[ticket] = flags
    const failures = seen.checks.filter(({ result }) => result !== Result.Accepted)
    const isSize = failures.every(({ check }) => sizeChecks.includes(check))
    if (isSize) seen.passingLots = passingLots(this.#state, batch, ticket, this.#beyond.check)
  }

  #numbersOf(check: AdmissionCheck, result: Result): CheckNumbers | null {
    const batch = this.#batch
    const seen = this.#current!
    if (check === AdmissionCheck.PerpTerms) return perpNumbers(this.#state, seen)
    if (batch === null) return null
    const { flags } = batch.place(this.#ticket)
    const order = this.#order!.check
    const of = { state: this.#state, order, flags, instrument: batch.instrument[this.#ticket] }
    return numbersByCheck[check]?.(of, result) ?? null
  }

  #find(batch: Batch, ticket: number): SeenOrder {
    const views = batch.views[ticket]
    const at = batch.at[ticket]
    const known = this.#seen.findLast((one) => one.views === views && one.at === at)
    return known ?? this.#add(views, at, batch.account[ticket])
  }

  #add(views: RecordViews, at: number, account: number): SeenOrder {
    const nothing = { judgedCount: 0, isRepeat: false, isExempt: false, orderId: 0, passingLots: 0 }
    const untold = { result: Result.Accepted, details: new Float64Array(detailsCount) }
    const seen: SeenOrder = { views, at, account, checks: [], ...untold, ...nothing }
    this.#seen.push(seen)
    return seen
  }
}

/** The check that has refused an order; null: none has. */
export function failedOf({ checks }: SeenOrder): SeenCheck | null {
  return checks.find(({ isBeyond, result }) => !isBeyond && result !== Result.Accepted) ?? null
}

/** Checks that more money may pass. */
const moneyChecks: readonly AdmissionCheck[] = [
  AdmissionCheck.Funds,
  AdmissionCheck.Cash,
  AdmissionCheck.Margin,
]

/** Micros whose deposit would have been enough for a refused order; 0: something else was missing, too. */
export function missingMicros({ checks }: SeenOrder): number {
  const failures = checks.filter(({ result }) => result !== Result.Accepted)
  const isWhole = checks.some(({ check }) => check === AdmissionCheck.Margin)
  if (!isWhole || !failures.every(({ check }) => moneyChecks.includes(check))) return 0
  return Math.max(0, ...failures.map(({ numbers }) => shortfallOf(numbers)))
}

function shortfallOf(numbers: CheckNumbers | null): number {
  return numbers === null ? 0 : Math.max(0, (numbers.needs ?? numbers.has) - numbers.has)
}

/** How many orders had been given ids when this one was. */
export function orderNumberOf(orderId: number): number {
  return Math.floor(orderId / underlyingsMax)
}

interface Asked {
  readonly state: DecideOrderState
  readonly order: OrderCheck
  readonly flags: number
  readonly instrument: number
}

const numbersByCheck: Readonly<
  Partial<Record<AdmissionCheck, (asked: Asked, result: Result) => CheckNumbers | null>>
> = {
  [AdmissionCheck.OpenOrders]: ({ state, order }) => {
    const limit = state.config.tiers[state.risk.tier[order.account]].openOrdersMax
    if (limit < 0) return null
    return { unit: 'count', has: otherOrders(state, order) + 1, limit }
  },
  [AdmissionCheck.Positions]: ({ state: { config, risk }, order, flags }) => {
    const limit = config.tiers[risk.tier[order.account]].positionsMax
    const isAsked = limit >= 0 && order.instrument >= 0 && (flags & OrderFlag.ReduceOnly) === 0
    if (!isAsked || !risk.wouldOpenPosition(order)) return null
    return { unit: 'count', has: risk.positionsCounted[order.account] + 1, limit }
  },
  [AdmissionCheck.Instrument]: ({ state: { instruments, nowMillis }, instrument }, result) => {
    if (instrument < 0 || instruments.isPerp(instrument)) return null
    const limit = instruments.expiryMillis[instrument] - 1
    // One that is closed, or has no book, is refused before its time is over.
    if (result !== Result.Accepted && nowMillis <= limit) return null
    return { unit: 'millis', has: nowMillis, limit }
  },
  [AdmissionCheck.Protection]: ({ state, order, flags }) => {
    if ((flags & OrderFlag.MmpEnabled) === 0) return null
    const underlying = state.instruments.underlying[order.instrument]
    const needs = state.mmp.frozenUntil(order.account, underlying, state.nowMillis)
    return { unit: 'millis', has: state.nowMillis, needs }
  },
  [AdmissionCheck.ReduceOnly]: ({ state: { risk }, order, flags }) => {
    if ((flags & OrderFlag.ReduceOnly) === 0) return null
    return { unit: 'lots', has: risk.reducingLots(order), limit: risk.closableLots(order) }
  },
  [AdmissionCheck.WalletLimits]: limitNumbers,
  [AdmissionCheck.BookLimit]: ({ state: { orders }, order }) => {
    let has = order.sizeLots
    let slot = orders.firstOf(order.instrument)
    for (; slot !== none; slot = orders.nextInInstrument[slot]) has += orders.openLots[slot]
    return { unit: 'lots', has, limit: exactBound - 1 }
  },
}

function perpNumbers(
  { nowMillis }: DecideOrderState,
  { views, at }: SeenOrder,
): CheckNumbers | null {
  const terms = perpTermsOf(new AnyCommand().over(views, at))
  if (terms === null || terms.expiresMillis === 0) return null
  return { unit: 'millis', has: nowMillis, limit: terms.expiresMillis }
}

/** All that the wallet could come to with the order, each contract at the most that it can ever be worth. */
function limitNumbers({ state, order }: Asked, result: Result): CheckNumbers | null {
  const { instruments, risk } = state
  const { account, instrument, priceMicros, sizeLots } = order
  const { maxIndexMicros, strikeMicros, underlying } = instruments
  const highest = Math.max(maxIndexMicros[underlying[instrument]], strikeMicros[instrument])
  if (result === Result.PriceLimit) return { unit: 'micros', has: priceMicros, limit: highest }
  if (result === Result.SizeLimit) return null
  const held = Math.abs(risk.cashMicros[account]) + risk.limits.exposedMicros(account)
  const has = held + Math.ceil((highest * sizeLots) / lotsPerContract)
  // What closes a position is not counted as more: then it may come to the limit all the same.
  return { unit: 'micros', has, limit: exactBound - 1, isExempt: has >= exactBound }
}

/**
 * The largest size below that of a refused order which passes, by halves; 0 where none does. What passes need not do so
 * at every smaller size, so this is one that does.
 */
function passingLots(
  { risk }: DecideOrderState,
  batch: Batch,
  ticket: number,
  refused: Readonly<OrderCheck>,
): number {
  const verdict = new MarginVerdict()
  const order = Object.assign(new OrderCheck(), refused)
  order.witness = null
  const isReducing = (batch.place(ticket).flags & OrderFlag.ReduceOnly) !== 0
  const passes = (lots: number) => {
    order.sizeLots = lots
    if (isReducing && risk.checkReduceOnly(order)) return false
    return risk.checkOrder(order, verdict) === Result.Accepted
  }
  let passing = 0
  let failing = refused.sizeLots
  while (failing - passing > 1) {
    const lots = Math.floor((passing + failing) / 2)
    if (passes(lots)) passing = lots
    else failing = lots
  }
  return passing
}
