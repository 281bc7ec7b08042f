import { formatLots, formatMicros } from '../../schemas/decimal.js'
import {
  OrderFlag,
  OrderStatus,
  orderStatusNames,
  routeNames,
  sideNames,
  tifNames,
} from '../../schemas/domain.js'
import { CommandType } from '../../schemas/generated/commands.js'
import { type OutcomeEvent, RefusalEvent } from '../../schemas/generated/events.js'
import { formatNonce } from '../../schemas/nonce.js'
import { answerSeqOf } from '../../schemas/record-rules/answer-seq.js'
import { OutcomeFlag } from '../../schemas/record-values.js'
import type { ResultDetail } from '../../schemas/result-row.js'
import {
  isRejection,
  marginBounds,
  nakedShortCause,
  Result,
  resultRows,
  resultText,
} from '../../schemas/results.js'
import { formatSymbol } from '../../schemas/symbol.js'
import { formatAddress } from '../../schemas/wallet.js'
import type { OrderStatusName, SideName, TifName } from '../../schemas/wire-types.js'
import { Fault } from '../wire/fault.js'
import type { InstrumentName, InstrumentNames } from './instrument-names.js'

/** Scenario, as `details.scenario` states it. */
export interface ScenarioName {
  readonly kind: string
  readonly id: string
}

/** Name tables for reading acknowledgements. */
export interface OutcomeNames {
  readonly instruments: InstrumentNames
  /** Scenarios by the index that the engine sends: see `scenariosPerModel`. */
  readonly scenarios: readonly (ScenarioName | undefined)[]
}

/** `Outcome` or `OrderUpdate` event in the terms of the wire. */
export interface OutcomeView {
  readonly result: Result
  readonly seq: number
  readonly timeMillis: number
  /** Status of the order after the event; `REJECTED` for a rejected request; empty: not about an order. */
  readonly status: OrderStatusName | ''
  readonly isMmpTriggered: boolean
  /** Accepted for a wallet without cash. */
  readonly isUnfunded: boolean
  /** Order concerned; 0: none. */
  readonly orderId: number
  readonly filledLots: number
  /** Fields of a duplicate's first order that no signature covers; null if it is not a duplicate. */
  readonly kept: UnsignedFields | null
  /** Values from the engine for the reason's text and for `details`, by name. */
  readonly details: Readonly<Record<string, DetailValue>> | null
}

/** Fields of an order that its signature does not cover. */
export type UnsignedFields = Pick<OrderFacts, 'builder' | 'isMmpEnabled'>

/** Facts of the order that an acknowledgement concerns; texts are canonical. */
export interface OrderFacts {
  /** 0: none. */
  readonly orderId: number
  readonly instrument: InstrumentName | undefined
  readonly side: SideName
  readonly tif: TifName
  readonly price: string
  readonly size: string
  readonly filledLots: number
  readonly clientId: string
  readonly wallet: string
  readonly builder: string | null
  readonly isMmpEnabled: boolean
  readonly isReduceOnly: boolean
}

export type DetailValue = string | number | ScenarioName | null

/** `reason`, `reason_code` and `details` of an answer, as JSON values. */
export interface Reason {
  readonly reason: string | null
  readonly code: string | null
  readonly details: Readonly<Record<string, DetailValue>> | null
}

const noReason: Reason = { reason: null, code: null, details: null }
const refusal = new RefusalEvent()
// With status CANCELED these explain a cancellation. With any other status they are rejections.
const cancelCauses: ReadonlySet<Result> = new Set<Result>([
  Result.CanceledOnRequest,
  Result.IocRemainder,
  Result.FokNotFilled,
  Result.SelfTrade,
  Result.MmpTriggered,
  Result.MmpCanceled,
  Result.Replaced,
  Result.ReduceOnly,
  Result.InstrumentExpired,
  Result.InstrumentDelisted,
  Result.AccountInLiquidation,
  // For an order whose auction ends this way.
  Result.TradingHalted,
  Result.CancelOnly,
  Result.WalletStopped,
  Result.RfqNoEligibleQuote,
  Result.CanceledWithAll,
  Result.DeadManFired,
  Result.Disconnected,
])

/** Copies an acknowledgement. Retains no reference to the event. */
export function readOutcome(event: OutcomeEvent, names: OutcomeNames): OutcomeView {
  const { result, flags, facts, firstSeq } = event
  const isSignedRepeat = (flags & OutcomeFlag.Repeat) !== 0 && firstSeq > 0
  return {
    result,
    seq: answerSeqOf(event),
    timeMillis: isSignedRepeat ? event.firstMillis : event.timeMillis,
    status: statusName(result, facts.status),
    isMmpTriggered: (flags & OutcomeFlag.MmpTriggered) !== 0,
    isUnfunded: (flags & OutcomeFlag.Unfunded) !== 0,
    orderId: facts.orderId,
    filledLots: facts.filledLots,
    kept: isSignedRepeat && facts.orderId !== 0 ? unsignedFields(facts) : null,
    details: readDetails(event.result, event, names),
  }
}

/** Rejected request of an OrderUpdate; null for any other. */
export interface Rejection {
  readonly nonce: number | string
  /** Values for the reason's text. */
  readonly values: Readonly<Record<string, string>>
  /** Text of the instrument's symbol; '' for a cancel. */
  readonly symbol: string
  readonly isCancel: boolean
}

export function readRejection(update: OutcomeEvent): Rejection | null {
  if (update.recordBytes < RefusalEvent.bytes) return null
  const { command, refusedNonceHigh, refusedNonceLow, refusedOrderId, refusedKey } =
    refusal.of(update)
  const nonce = formatNonce(refusedNonceHigh, refusedNonceLow)
  const { underlyingText: underlying, expiryDate, right, strikeMicros } = refusedKey
  const symbol =
    underlying === '' ? '' : formatSymbol({ underlying, expiryDate, right, strikeMicros })
  const values = { nonce, symbol, underlying, order_id: String(refusedOrderId) }
  const isCancel = command === CommandType.CancelOrder || command === CommandType.CancelByClientId
  return {
    nonce: Number.isSafeInteger(Number(nonce)) ? Number(nonce) : nonce,
    values,
    symbol,
    isCancel,
  }
}

/** True if the result is an HTTP error (or an Error on the stream) instead of an answer about an order. */
export function isErrorResult(result: Result): boolean {
  return result < 0 && !isRejection(result)
}

/**
 * @param values Fill the `{name}` placeholders of the text; values from the engine take precedence.
 */
export function reasonOf(
  outcome: Pick<OutcomeView, 'result' | 'details'>,
  values: () => Readonly<Record<string, string>>,
): Reason {
  if (outcome.result >= 0) return noReason
  const { code, text } = resultRows[outcome.result]
  if (text === '') return { reason: null, code, details: null }
  return {
    reason: resultText(outcome.result, {
      ...values(),
      ...detailTexts(outcome.details),
    }),
    code,
    details: outcome.details,
  }
}

/** Returns the placeholder values that an order's facts provide. */
export function valuesOfFacts(facts: OrderFacts): Readonly<Record<string, string>> {
  return {
    symbol: facts.instrument?.symbol ?? '',
    underlying: facts.instrument?.underlying ?? '',
    expiry: String(facts.instrument?.expiryDate ?? ''),
    order_id: String(facts.orderId),
    client_id: facts.clientId,
  }
}

/** Returns the status of an order after a result; empty: the result is not about an order. */
export function statusName(result: Result, status: number): OrderStatusName | '' {
  const isCancellation = status === OrderStatus.Canceled && cancelCauses.has(result)
  const isRefused = result < 0 && !isCancellation
  return orderStatusNames[isRefused ? OrderStatus.Rejected : status] ?? ''
}

/** Returns the facts of an event's order, as texts. */
export function readFacts(
  { facts }: Pick<OutcomeEvent, 'facts'>,
  instruments: InstrumentNames,
): OrderFacts {
  const { flags, u8 } = facts
  return {
    orderId: facts.orderId,
    instrument: instruments.instrument(facts.instrument),
    side: sideNames[facts.side]!,
    tif: tifNames[facts.tif]!,
    price: formatMicros(facts.priceMicros),
    size: formatLots(facts.sizeLots),
    filledLots: facts.filledLots,
    clientId: facts.clientIdText,
    wallet: formatAddress(u8, facts.walletAt),
    ...unsignedFields(facts),
    isReduceOnly: (flags & OrderFlag.ReduceOnly) !== 0,
  }
}

function unsignedFields({ flags, u8, builderAt }: OutcomeEvent['facts']): UnsignedFields {
  return {
    builder: flags & OrderFlag.HasBuilder ? formatAddress(u8, builderAt) : null,
    isMmpEnabled: (flags & OrderFlag.MmpEnabled) !== 0,
  }
}

/** Event with a reason and its values. */
export interface Detailed {
  details(index: number): number
}

/**
 * Returns the reason of an event that does not concern an order.
 * @param values Fill the `{name}` placeholders that the event does not.
 */
export function reasonOfEvent(
  result: Result,
  event: Detailed,
  names: OutcomeNames,
  values: Readonly<Record<string, string>>,
): Reason {
  const details = readDetails(result, event, names)
  return reasonOf({ result, details }, () => values)
}

function readDetails(result: Result, event: Detailed, names: OutcomeNames): OutcomeView['details'] {
  const rows = resultRows[result]?.details
  if (rows === undefined) return null
  const isNaked = result === Result.NakedShortCalls || result === Result.NakedShortPuts
  const details: Record<string, DetailValue> = isNaked ? { cause: nakedShortCause } : {}
  rows.forEach((row, index) => {
    details[row.name] = detailValue(row, event.details(index), names)
  })
  return details
}

function detailValue({ unit }: ResultDetail, value: number, names: OutcomeNames): DetailValue {
  if (unit === 'micros') return formatMicros(value)
  if (unit === 'lots') return formatLots(value)
  if (unit === 'instrument') return names.instruments.instrument(value)?.symbol ?? null
  if (unit === 'underlying') return names.instruments.underlying(value) ?? null
  if (unit === 'scenario') return names.scenarios[value] ?? null
  if (unit === 'route') return routeNames[value] ?? null
  if (unit === 'until') return Number.isFinite(value) ? value : 'reset'
  return unit === 'bound' ? (marginBounds[value] ?? null) : value
}

/** Returns the fault of a write without an order, if the engine has sent amounts; otherwise null. */
export function detailedFault(outcome: OutcomeView): Fault | null {
  if (outcome.details === null) return null
  const texts = detailTexts(outcome.details)
  return new Fault(outcome.result, {}, resultText(outcome.result, texts), texts)
}

function detailTexts(details: OutcomeView['details']): Readonly<Record<string, string>> {
  if (details === null) return {}
  const texts: Record<string, string> = {}
  for (const [name, value] of Object.entries(details)) {
    if (typeof value === 'string' || typeof value === 'number') texts[name] = String(value)
  }
  return texts
}
