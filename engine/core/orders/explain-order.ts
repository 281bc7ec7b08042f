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
import { AdmissionCheck, type CheckNumbers } from '../../risk/admission-trace.js'
import { MarginVerdict, OrderCheck } from '../../risk/order-check.js'
import type { Batch } from '../../state/batch.js'
import type { DecisionTrace, JudgedNew } from '../../state/decision-trace.js'
import { perpTermsOf } from '../steps/perp-terms.js'
import { type DecideOrderState, NewOrder, otherOrders, runChecks } from './decide-order.js'

/** One recorded check. */
export interface SeenCheck {
  readonly check: AdmissionCheck
  readonly result: Result
  readonly numbers: CheckNumbers | null
  /** True if the check was made for the trace alone, after the check that failed. */
  readonly isBeyond: boolean
}

/** Admission trace of a signed command: how it was decided, and why. */
export interface SeenOrder {
  readonly views: RecordViews
  /** Offset of its record; for an item of a bulk, of the item's own record. */
  readonly at: number
  readonly account: number
  /** In the order in which they were made. */
  checks: SeenCheck[]
  /** Number of decisions; more than one if the order had to wait for others of its batch. */
  judgedCount: number
  isRepeat: boolean
  /** True if the order passed below initial margin, as risk-reducing. */
  reducesRisk: boolean
  result: Result
  /** Details of a failure, in the order of the result's row in schemas/results.ts. */
  details: Float64Array
  /** 0 if there is no order. */
  orderId: number
  /** Smaller size in lots that would pass; 0 if none was found or the search was not run. */
  passingLots: number
}

/** Checks after whose failure no later check makes sense, because its subject does not exist. */
const finalChecks: readonly AdmissionCheck[] = [
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
 * Records the checks of orders as the core makes them, with the compared numbers, in the state of that moment. It has
 * no list of checks: it records those that the core runs. For a rejected order it runs the remaining checks as well.
 */
export class OrderTrace implements DecisionTrace {
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

  /** Signed commands since the last `clear`, in order of arrival. */
  get seen(): readonly SeenOrder[] {
    return this.#seen
  }

  clear(): void {
    this.#seen.length = 0
    this.#current = null
  }

  onCommand({ at, views }: AnyCommand, account: number): void {
    this.#current = this.#add(views, at, account)
    this.#batch = null
  }

  onDuplicate(): void {
    this.#current!.isRepeat = true
  }

  onChecksBegin(batch: Batch, ticket: number, order: JudgedNew): void {
    const seen = this.#find(batch, ticket)
    seen.checks = seen.checks.filter(({ check }) => check < AdmissionCheck.OpenOrders)
    this.#current = seen
    this.#batch = batch
    this.#ticket = ticket
    this.#order = order
  }

  onCheck(check: AdmissionCheck, result: Result, numbers: CheckNumbers | null): boolean {
    const isFailed = result !== Result.Accepted
    const { checks } = this.#current!
    if (!checks.some((known) => known.check === check)) {
      const compared = numbers ?? this.#numbersOf(check, result)
      checks.push({ check, result, numbers: compared, isBeyond: this.#isBeyond })
    }
    return isFailed && (!this.#isBeyond || finalChecks.includes(check))
  }

  onChecksEnd(batch: Batch, ticket: number, oldNamed: Result, result: Result): void {
    const seen = this.#current!
    seen.judgedCount++
    seen.result = result
    seen.reducesRisk = result === Result.Accepted && this.#order!.verdict.reducesRisk
    if (result !== Result.Accepted) this.#lookBeyond(batch, ticket, oldNamed, seen)
  }

  onAccepted(batch: Batch, ticket: number, slot: number): void {
    this.#find(batch, ticket).orderId = this.#state.orders.orderId[slot]
  }

  onRejected(batch: Batch, ticket: number, result: Result): void {
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

  /** Runs the checks after the one that failed. Neither the failure nor this changes anything. */
  #lookBeyond(batch: Batch, ticket: number, oldNamed: Result, seen: SeenOrder): void {
    const failed = failedOf(seen)!
    if (finalChecks.includes(failed.check)) return
    const at = ticket * detailsCount
    const details = batch.details.slice(at, at + detailsCount)
    const flags = batch.flags[ticket]
    this.#isBeyond = true
    this.#order = this.#beyond
    this.#beyond.check.trace = this
    runChecks(this.#state, batch, ticket, oldNamed, this.#beyond)
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
    const nothing = {
      judgedCount: 0,
      isRepeat: false,
      reducesRisk: false,
      orderId: 0,
      passingLots: 0,
    }
    const undecided = { result: Result.Accepted, details: new Float64Array(detailsCount) }
    const seen: SeenOrder = { views, at, account, checks: [], ...undecided, ...nothing }
    this.#seen.push(seen)
    return seen
  }
}

/** Returns the check that failed, or null. */
export function failedOf({ checks }: SeenOrder): SeenCheck | null {
  return checks.find(({ isBeyond, result }) => !isBeyond && result !== Result.Accepted) ?? null
}

/** Checks that more money may pass. */
const moneyChecks: readonly AdmissionCheck[] = [
  AdmissionCheck.Funds,
  AdmissionCheck.Cash,
  AdmissionCheck.Margin,
]

/** Returns the deposit, in micros, that would have let a rejected order pass; 0 if something else was missing, too. */
export function missingMicros({ checks }: SeenOrder): number {
  const failures = checks.filter(({ result }) => result !== Result.Accepted)
  const isComplete = checks.some(({ check }) => check === AdmissionCheck.Margin)
  if (!isComplete || !failures.every(({ check }) => moneyChecks.includes(check))) return 0
  return Math.max(0, ...failures.map(({ numbers }) => shortfallOf(numbers)))
}

function shortfallOf(numbers: CheckNumbers | null): number {
  return numbers === null ? 0 : Math.max(0, (numbers.needs ?? numbers.has) - numbers.has)
}

/** Returns the serial number in an order id. */
export function orderNumberOf(orderId: number): number {
  return Math.floor(orderId / underlyingsMax)
}

interface CheckedOrder {
  readonly state: DecideOrderState
  readonly order: OrderCheck
  readonly flags: number
  readonly instrument: number
}

const numbersByCheck: Readonly<
  Partial<Record<AdmissionCheck, (checked: CheckedOrder, result: Result) => CheckNumbers | null>>
> = {
  [AdmissionCheck.OpenOrders]: ({ state, order }) => {
    const limit = state.config.tiers[state.risk.tier[order.account]].openOrdersMax
    if (limit < 0) return null
    return { unit: 'count', has: otherOrders(state, order) + 1, limit }
  },
  [AdmissionCheck.Positions]: ({ state: { config, risk }, order, flags }) => {
    const limit = config.tiers[risk.tier[order.account]].positionsMax
    const isRequested = limit >= 0 && order.instrument >= 0 && (flags & OrderFlag.ReduceOnly) === 0
    if (!isRequested || !risk.wouldOpenPosition(order)) return null
    return { unit: 'count', has: risk.positionsCounted[order.account] + 1, limit }
  },
  [AdmissionCheck.Instrument]: ({ state: { instruments, nowMillis }, instrument }, result) => {
    if (instrument < 0 || instruments.isPerp(instrument)) return null
    const limit = instruments.expiryMillis[instrument] - 1
    // A closed instrument, or one without a book, fails before its expiry.
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

/** Returns the greatest value that the wallet could reach with the order, each contract at its maximum value. */
function limitNumbers({ state, order }: CheckedOrder, result: Result): CheckNumbers | null {
  const { instruments, risk } = state
  const { account, instrument, priceMicros, sizeLots } = order
  const { maxIndexMicros, strikeMicros, underlying } = instruments
  const highest = Math.max(maxIndexMicros[underlying[instrument]], strikeMicros[instrument])
  if (result === Result.PriceLimit) return { unit: 'micros', has: priceMicros, limit: highest }
  if (result === Result.SizeLimit) return null
  const held = Math.abs(risk.cashMicros[account]) + risk.limits.exposedMicros(account)
  const has = held + Math.ceil((highest * sizeLots) / lotsPerContract)
  // Closing a position does not count as an addition, so it may pass at the limit.
  return { unit: 'micros', has, limit: exactBound - 1, reducesRisk: has >= exactBound }
}

/**
 * Returns the largest passing size below that of a rejected order, found by bisection; 0 if none is found. Smaller
 * sizes need not all pass, so this is one size that does.
 */
function passingLots(
  { risk }: DecideOrderState,
  batch: Batch,
  ticket: number,
  rejected: Readonly<OrderCheck>,
): number {
  const verdict = new MarginVerdict()
  const order = Object.assign(new OrderCheck(), rejected)
  order.trace = null
  const isReducing = (batch.place(ticket).flags & OrderFlag.ReduceOnly) !== 0
  const passes = (lots: number) => {
    order.sizeLots = lots
    if (isReducing && risk.checkReduceOnly(order)) return false
    return risk.checkOrder(order, verdict) === Result.Accepted
  }
  let passing = 0
  let failing = rejected.sizeLots
  while (failing - passing > 1) {
    const lots = Math.floor((passing + failing) / 2)
    if (passes(lots)) passing = lots
    else failing = lots
  }
  return passing
}
