import { type BatchTimestamp, findBatch } from '../../engine/memory/batch-timestamps.js'
import {
  findTimestamp,
  type OrderTimestamp,
  type TimestampKey,
  timestampsBetween,
} from '../../engine/memory/order-timestamps.js'
import { steadyMillis } from '../../engine/memory/steady-clock.js'
import type { Scenario } from '../../engine/pricing/scenarios.js'
import { formatMicros } from '../../schemas/decimal.js'
import {
  MarginModelKind,
  marginModelNames,
  OrderStatus,
  scenarioKindNames,
} from '../../schemas/domain.js'
import { CommandType } from '../../schemas/generated/commands.js'
import { unrecordedResults } from '../../schemas/interface/errors.js'
import type {
  BatchNeighbour,
  BindingMargin,
  BindingScenario,
  FailedCheck,
  OrderBatch,
  OrderWhy,
} from '../../schemas/interface/orders.js'
import { formatNonce } from '../../schemas/nonce.js'
import { OutcomeFlag } from '../../schemas/record-values.js'
import {
  marginBounds,
  marginDetails,
  Result,
  resultRows,
  scenariosPerModel,
} from '../../schemas/results.js'
import { formatAddress, parseAddress } from '../../schemas/wallet.js'
import type { OrderStatusName } from '../../schemas/wire-types.js'
import { windowDetails, windowNames } from '../admission/kept-refusals.js'
import type { GatewayContext } from '../link/gateway-context.js'
import { reasonOfEvent, statusName } from '../link/outcome.js'
import { Fault } from '../wire/fault.js'
import { actionNameOf, numberOf } from './action-outcome.js'
import { noStages, stagesOf } from './order-stages.js'

/** Fields of `GET /orders` for an order that only the store knows. */
export interface StoredOrder {
  readonly order_id: number
  readonly symbol: string
  readonly status: string
  readonly reason_code: string | null
}

// Order ids can be guessed, and must not reveal the owner, just as a resting order or one in an auction does not.
const unnamed = { wallet: null, nonce: null } as const
const neighboursPerSide = 5
const noNumbersNote =
  'The engine tells no numbers of this check; "strikebook why" finds them by a replay of the journal.'
const privateAmountsNote = 'Its wallet can read the amounts, with its nonce and a read session.'
const makers: ReadonlySet<number> = new Set([CommandType.PlaceOrder, CommandType.ReplaceOrder])
const ofOrders: ReadonlySet<number> = new Set([
  ...makers,
  CommandType.CancelOrder,
  CommandType.CancelByClientId,
])

/** Anyone can cause such a result for any wallet and nonce, so accepted commands take precedence. */
const gatewayChecks: ReadonlySet<number> = new Set(unrecordedResults)
const signatureNote =
  'The signature is not that of the wallet or of an agent of it. The answer said what was hashed and whom that ' +
  'recovers ' +
  'to, unless the preset is mainnet-alpha; POST /order/debug says it of a body again.'

/** Parameters of the read. */
export interface WhyQuery {
  readonly order_id: number | null
  readonly wallet: string | null
  readonly nonce: Uint32Array | null
}

/**
 * @returns `InvalidParameter` for both kinds of key together, or `MissingField` for neither.
 */
export function soughtOf({ order_id: orderId, wallet, nonce }: WhyQuery): TimestampKey | Fault {
  if (orderId !== null) {
    if (wallet === null && nonce === null) return { orderId }
    return new Fault(Result.InvalidParameter, {}, 'Pass either order_id, or wallet and nonce')
  }
  if (wallet !== null && nonce !== null) {
    return { wallet: parseAddress(wallet)!, nonceHigh: nonce[0]!, nonceLow: nonce[1]! }
  }
  if (wallet !== null) return new Fault(Result.MissingField, {}, 'nonce is required')
  const text = nonce === null ? 'order_id is required, or wallet and nonce' : 'wallet is required'
  return new Fault(Result.MissingField, {}, text)
}

/**
 * Returns the trace of an order, from the timestamps of all threads; null if it is unknown or too old.
 * @param hidesWaiting True to omit neighbours that wait for quotes.
 */
export function whyMeasured(
  context: GatewayContext,
  sought: TimestampKey,
  hidesWaiting: boolean,
): OrderWhy | null {
  const { orderTimestamps, batchTimestamps } = context.timestamps
  const commands = 'orderId' in sought ? makers : ofOrders
  const isMeant = ({ command, flags }: OrderTimestamp) =>
    commands.has(command) && (flags & OutcomeFlag.Repeat) === 0
  const isTaken = (row: OrderTimestamp) => isMeant(row) && !gatewayChecks.has(row.result)
  const row =
    findTimestamp(orderTimestamps, sought, isTaken) ??
    findTimestamp(orderTimestamps, sought, isMeant)
  if (row === null) return null
  const publishedIn = row.seq === 0 ? null : findBatch(batchTimestamps, row.seq)
  const why = whyOf(context, row, publishedIn, hidesWaiting)
  return 'orderId' in sought ? { ...why, ...unnamed } : why
}

/** Reduces the check of a rejection to its name, because the wallet's amounts are private. */
export function withoutAmounts(why: OrderWhy): OrderWhy {
  const { check } = why
  if (check === null) return why
  const hidden = { has: null, needs: null, details: null, note: privateAmountsNote }
  return { ...why, check: { name: check.name, ...hidden }, margin: null }
}

/** Returns the trace of an order without measurements; null if the store does not know it either. */
export function whyStored(order: StoredOrder | null): OrderWhy | null {
  if (order === null) return null
  return {
    order_id: order.order_id,
    ...unnamed,
    ...{ action: null, symbol: order.symbol, seq: null },
    status: order.status.toUpperCase() as OrderStatusName,
    reason: order.reason_code,
    ...{ source: 'store', gateway: null, received_at: null, stages: noStages },
    ...{ batch: null, neighbours: [], check: null, margin: null },
  }
}

function whyOf(
  context: GatewayContext,
  row: OrderTimestamp,
  publishedIn: BatchTimestamp | null,
  hidesWaiting: boolean,
): OrderWhy {
  const { instrument, isDecided, nonceHigh, nonceLow, orderId, result } = row
  const isLate = (row.flags & OutcomeFlag.Late) !== 0
  const batch = isLate ? null : publishedIn
  const all = batch === null ? [] : commandsOf(context, batch)
  const others = hidesWaiting ? all.filter((other) => !isWaitingDuplicate(other)) : all
  const place = others.findIndex(({ seq }) => seq === row.seq)
  return {
    order_id: orderId === 0 ? null : orderId,
    wallet: formatAddress(row.wallet, 0),
    nonce: numberOf(formatNonce(nonceHigh, nonceLow)),
    action: actionNameOf(row.command),
    symbol: context.names.instruments.instrument(instrument)?.symbol ?? null,
    seq: row.publishedSeq === 0 ? null : row.publishedSeq,
    status: isDecided ? statusOf(row) : 'IN_FLIGHT',
    reason: result < 0 ? resultRows[result as Result].code : null,
    source: 'measured',
    gateway: row.requester,
    received_at: receivedAt(context, row, publishedIn),
    stages: stagesOf(row, publishedIn),
    batch: batch === null ? null : batchOf(batch, place, all.length - others.length),
    neighbours: neighboursOf(context, others, place),
    check: isRefused(row) ? checkOf(context, row) : null,
    margin: result === Result.InsufficientMargin ? marginOf(context, row) : null,
  }
}

/** Returns all commands that a batch answered. An order that waited for quotes belongs to an earlier batch. */
function commandsOf(
  { timestamps }: GatewayContext,
  { firstSeq, lastSeq }: BatchTimestamp,
): OrderTimestamp[] {
  const answered = timestampsBetween(timestamps.orderTimestamps, firstSeq, lastSeq)
  return answered.filter(({ flags }) => (flags & OutcomeFlag.Late) === 0)
}

/** True for a duplicate of an order that still waits for quotes. */
function isWaitingDuplicate({ command, flags, result, status }: OrderTimestamp): boolean {
  const isRepeat = (flags & OutcomeFlag.Repeat) !== 0
  return (
    makers.has(command) && isRepeat && result === Result.Accepted && status === OrderStatus.Acked
  )
}

function batchOf(batch: BatchTimestamp, place: number, hiddenCount: number): OrderBatch {
  return {
    number: batch.number,
    first_seq: batch.firstSeq,
    last_seq: batch.lastSeq,
    commands: batch.commands - hiddenCount,
    place: place + 1,
    time: batch.timeMillis,
  }
}

function neighboursOf(
  context: GatewayContext,
  others: readonly OrderTimestamp[],
  place: number,
): BatchNeighbour[] {
  const operator = context.timestamps.orderTimestamps.length - 1
  const from = Math.max(0, place - neighboursPerSide)
  return others
    .map((other, index) => ({
      seq: other.seq,
      place: index + 1,
      order_id: other.orderId === 0 ? null : other.orderId,
      action: actionNameOf(other.command),
      gateway: other.requester === operator ? null : other.requester,
      status: ofOrders.has(other.command) ? statusOf(other) : null,
    }))
    .slice(from, place + neighboursPerSide + 1)
    .filter((row) => row.place !== place + 1)
}

/** Virtual time does not advance while an order is executed. */
function receivedAt(
  { nowMillis, timestamps }: GatewayContext,
  { receivedMillis }: OrderTimestamp,
  publishedIn: BatchTimestamp | null,
): number | null {
  if (timestamps.virtualTime !== null) return publishedIn?.timeMillis ?? null
  if (receivedMillis === 0) return null
  if (publishedIn !== null)
    return Math.round(publishedIn.timeMillis - (publishedIn.begunMillis - receivedMillis))
  return Math.round(nowMillis() - (steadyMillis() - receivedMillis))
}

function statusOf({ result, status }: OrderTimestamp): OrderStatusName {
  return (statusName(result as Result, status) || 'REJECTED') as OrderStatusName
}

function isRefused(row: OrderTimestamp): boolean {
  return row.result < 0 && statusOf(row) === 'REJECTED'
}

function checkOf({ names }: GatewayContext, row: OrderTimestamp): FailedCheck {
  const result = row.result as Result
  if (gatewayChecks.has(result)) return gatewayCheckOf(row)
  const event = { details: (index: number) => row.details[index]! }
  const { code, details } = reasonOfEvent(result, event, names, {})
  const firstOf = (...keys: string[]) => {
    const found = keys.map((key) => details?.[key]).find((value) => value !== undefined)
    return typeof found === 'string' || typeof found === 'number' ? found : null
  }
  return {
    name: code ?? '',
    has: firstOf('equity', 'available', 'used'),
    needs: firstOf('required', 'needed', 'bound'),
    details,
    note: details === null ? noNumbersNote : null,
  }
}

/** Describes a check before the engine: the exhausted rate window and the request's cost, or the invalid signature. */
function gatewayCheckOf({ details, result }: OrderTimestamp): FailedCheck {
  const name = resultRows[result as Result].code ?? ''
  if (result !== Result.RateLimitExceeded) {
    return { name, has: null, needs: null, details: null, note: signatureNote }
  }
  const { limit, name: nameAt, retryAfterSeconds } = windowDetails
  const window = `${windowNames[details[nameAt]!]}, ${details[limit]} a minute`
  const note = `Nothing was left of ${window}, for ${details[retryAfterSeconds]} seconds more.`
  return { name, has: 0, needs: 1, details: null, note }
}

function marginOf({ config }: GatewayContext, { details }: OrderTimestamp): BindingMargin {
  const row = details[marginDetails.scenario]!
  const kind = row < 0 ? MarginModelKind.DefinedRisk : Math.floor(row / scenariosPerModel)
  const model = marginModelNames[kind]!
  const scenarios = model === 'defined_risk' ? [] : config.risk[model].scenarios
  const scenario = scenarios[row % scenariosPerModel]
  const loss = details[marginDetails.scenarioLoss]!
  return {
    model,
    scenario: scenario === undefined ? null : scenarioOf(scenario, loss),
    binding: marginBounds[details[marginDetails.bound]!] ?? null,
  }
}

function scenarioOf(scenario: Scenario, lossMicros: number): BindingScenario {
  const { id, kind, kurtosis, skew, spotShift, volShift, weightPermille } = scenario
  return {
    ...{ kind: scenarioKindNames[kind], id, spot_shift: spotShift, vol_shift: volShift },
    ...{ skew, kurtosis, weight: weightPermille / 1000, loss: formatMicros(lossMicros) },
  }
}
