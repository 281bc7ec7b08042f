import {
  failedOf,
  missingMicros,
  type SeenCheck,
  type SeenOrder,
} from '../../../engine/core/orders/explain-order.js'
import { AdmissionCheck, type MarginFacts } from '../../../engine/risk/admission-trace.js'
import { formatLots, formatMicros } from '../../../schemas/decimal.js'
import {
  marginModelNames,
  OrderFlag,
  routeNames,
  scenarioKindNames,
} from '../../../schemas/domain.js'
import { formatNonce } from '../../../schemas/nonce.js'
import { marginBounds, Result, resultRows, resultText } from '../../../schemas/results.js'
import type { DecidedCommand } from '../../venue-data/admission-story.js'
import { type StateTablesState, symbolOf } from '../../venue-data/state-tables.js'
import { asksOf, nameOf, neededFor, numberText, snakeOf } from './check-words.js'

/** Returns the terms of an order from its command. */
export function orderValue({ record, seen, symbol }: DecidedCommand) {
  const { clientId, nonceHigh, nonceLow, oldOrderId, priceMicros, sizeLots, type, wallet } = record
  const flags = Number(record['flags'])
  return {
    orderId: seen === null || seen.orderId === 0 ? null : seen.orderId,
    wallet: String(wallet),
    nonce: formatNonce(Number(nonceHigh) >>> 0, Number(nonceLow) >>> 0),
    signer: record['signer'],
    action: String(type),
    symbol,
    side: String(record['side']),
    price: formatMicros(Number(priceMicros)),
    size: formatLots(Number(sizeLots)),
    tif: String(record['tif']).toLowerCase(),
    route: snakeOf(String(record['route'])),
    reduceOnly: (flags & OrderFlag.ReduceOnly) !== 0,
    mmpEnabled: (flags & OrderFlag.MmpEnabled) !== 0,
    clientId: clientId === '' ? null : String(clientId),
    replaces: Number(oldOrderId ?? 0) === 0 ? null : Number(oldOrderId),
  }
}

export type OrderValue = ReturnType<typeof orderValue>

/** Decision on the order. */
export interface Decision {
  readonly status: 'accepted' | 'rejected' | 'repeat'
  /** Reason code and text of a rejection. */
  readonly code: string | null
  readonly reason: string | null
  readonly failedCheck: string | null
  /** True if it was accepted below initial margin because it reduces risk. */
  readonly reducesRisk: boolean
  /** Number of evaluations. Other orders of the batch can cause repeated ones; the last is shown. */
  readonly timesJudged: number
}

export function decisionValue(
  state: StateTablesState,
  seen: SeenOrder,
  order: OrderValue,
): Decision {
  const { reducesRisk, judgedCount: timesJudged, result } = seen
  const failed = failedOf(seen)
  const status = result !== Result.Accepted ? 'rejected' : seen.isRepeat ? 'repeat' : 'accepted'
  const failedCheck = failed === null ? null : nameOf(failed.check)
  const common = { status, failedCheck, reducesRisk, timesJudged } as const
  if (result === Result.Accepted) return { ...common, code: null, reason: null }
  const values = { ...valuesOf(order), ...detailsOf(state, seen) }
  return { ...common, code: resultRows[result].code, reason: resultText(result, values) }
}

/** Returns the values from the order's terms that a reason's text may contain. */
function valuesOf({ clientId, nonce, replaces, symbol }: OrderValue): Record<string, string> {
  const [underlying = ''] = symbol.split('-')
  const order_id = String(replaces ?? 0)
  return { symbol, underlying, nonce, order_id, client_id: String(clientId ?? ''), expiry: '' }
}

function detailsOf(
  state: StateTablesState,
  { details, result }: SeenOrder,
): Record<string, string> {
  const { underlyingNames } = state.instruments
  const rows = resultRows[result].details ?? []
  const textOf = (unit: (typeof rows)[number]['unit'], value: number) => {
    if (unit === 'micros') return formatMicros(value)
    if (unit === 'lots') return formatLots(value)
    if (unit === 'instrument') return symbolOf(state, value)
    if (unit === 'underlying') return underlyingNames[value] ?? ''
    if (unit === 'route') return routeNames[value] ?? ''
    if (unit === 'until') return Number.isFinite(value) ? String(value) : 'reset'
    return String(value)
  }
  return Object.fromEntries(rows.map(({ name, unit }, i) => [name, textOf(unit, details[i]!)]))
}

/** Check in the form that is shown. */
export interface CheckValue {
  readonly check: string
  readonly asks: string
  /** `failed` rejected the order. `would_…` was evaluated after that, for this explanation only. */
  readonly verdict: 'passed' | 'exempt' | 'failed' | 'would_pass' | 'would_fail' | 'not_reached'
  readonly code: string | null
  readonly unit: string | null
  readonly has: string | null
  readonly needs: string | null
  readonly limit: string | null
}

/** Returns every check in order, including those that were not reached. */
export function checkValues({ checks }: SeenOrder): readonly CheckValue[] {
  const all = Object.values(AdmissionCheck).filter((check) => check !== AdmissionCheck.Book)
  const book = checks.filter(({ check }) => check === AdmissionCheck.Book)
  return [...all, ...book.map(({ check }) => check)].map((check) => {
    const seen = checks.find((one) => one.check === check)
    return seen === undefined ? unreached(check) : checkValue(seen)
  })
}

function unreached(check: AdmissionCheck): CheckValue {
  const nothing = { code: null, unit: null, has: null, needs: null, limit: null }
  return { check: nameOf(check), asks: asksOf(check), verdict: 'not_reached', ...nothing }
}

function checkValue(seen: SeenCheck): CheckValue {
  const { check, numbers, result } = seen
  const { has, limit, needs, unit = null } = numbers ?? {}
  const text = (value: number | undefined) =>
    value === undefined || unit === null ? null : numberText(unit, value)
  return {
    check: nameOf(check),
    asks: asksOf(check),
    verdict: verdictOf(seen),
    code: result === Result.Accepted ? null : resultRows[result].code,
    unit: unit === 'micros' ? 'usd' : unit === 'lots' ? 'contracts' : unit,
    ...{ has: text(has), needs: text(needs), limit: text(limit) },
  }
}

function verdictOf({ isBeyond, numbers, result }: SeenCheck): CheckValue['verdict'] {
  if (result !== Result.Accepted) return isBeyond ? 'would_fail' : 'failed'
  if (isBeyond) return 'would_pass'
  const { has = 0, limit = has, needs = has } = numbers ?? {}
  return has < needs || has > limit ? 'exempt' : 'passed'
}

/** Returns the margin and its binding scenario or term; null if the margin check was not reached. */
export function marginValue({ checks }: SeenOrder) {
  const facts = checks.find(({ check }) => check === AdmissionCheck.Margin)?.numbers?.margin
  return facts === undefined ? null : shownMargin(facts)
}

export type MarginValue = NonNullable<ReturnType<typeof marginValue>>

function shownMargin(facts: MarginFacts) {
  const { bound, details, lossMicros, model, scenario, stateCount } = facts
  const rows = resultRows[Result.InsufficientMargin].details!.slice(0, 7)
  const amounts = rows.map(({ name }, i) => [camelOf(name), formatMicros(details[i]!)])
  return {
    model: marginModelNames[model],
    binding: marginBounds[bound],
    scenario: scenario === null ? null : shownScenario(scenario, lossMicros),
    amounts: Object.fromEntries(amounts) as Readonly<Record<string, string>>,
    parts: {
      underlying: formatMicros(facts.underlyingMicros),
      otherUnderlyings: formatMicros(facts.otherUnderlyingsMicros),
      perps: formatMicros(facts.perpsMicros),
      premiumReserved: formatMicros(facts.premiumMicros),
      slippage: formatMicros(facts.slippageMicros),
      scanningRisk: formatMicros(facts.scanningMicros),
      optionFloor: formatMicros(facts.floorMicros),
      gammaOverlay: formatMicros(facts.overlayMicros),
    },
    riskReducingStates: stateCount,
  }
}

function shownScenario(scenario: NonNullable<MarginFacts['scenario']>, lossMicros: number) {
  const { id, kind, kurtosis, skew, spotShift, volShift, weightPermille } = scenario
  const shocks = { spotShift, volShift, skew, kurtosis, weight: weightPermille / 1000 }
  return { id, kind: scenarioKindNames[kind], ...shocks, loss: formatMicros(lossMicros) }
}

function camelOf(name: string): string {
  return name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
}

/** Changes with which the order would have passed. */
export interface Needed {
  /** One per failed check, in order. */
  readonly steps: readonly string[]
  /** USD deposit that would have been enough, if only money was missing. */
  readonly deposit: string | null
  /** Contracts that would have passed, if only the size was too large. */
  readonly size: string | null
}

/** Returns null if the order passed. */
export function neededValue(seen: SeenOrder): Needed | null {
  const failures = seen.checks.filter(({ result }) => result !== Result.Accepted)
  if (seen.result === Result.Accepted || failures.length === 0) return null
  const depositMicros = missingMicros(seen)
  return {
    steps: failures.map(neededFor),
    deposit: depositMicros > 0 ? formatMicros(depositMicros) : null,
    size: seen.passingLots > 0 ? formatLots(seen.passingLots) : null,
  }
}

/** Returns a summary of a command in the order's batch. */
export function neighbourValue({ place, record, seen }: DecidedCommand, isOrder: boolean) {
  const { type, wallet } = record
  const result = seen === null ? null : seen.result
  return {
    place,
    action: type,
    wallet,
    orderId: seen === null || seen.orderId === 0 ? null : seen.orderId,
    result: result === null ? null : (resultRows[result].code ?? 'accepted'),
    isOrder,
  }
}
