import type { EventLogReader } from '../engine/memory/event-log.js'
import { recordBytesAt } from '../engine/memory/layout.js'
import { answerSeqOf } from '../schemas/answer-seq.js'
import { underlyingBytesMax } from '../schemas/bounds.js'
import {
  keyExpiryDateAt,
  keyRightAt,
  keyStrikeMicrosAt,
  keyUnderlyingAt,
} from '../schemas/commands.js'
import { formatLots, formatMicros } from '../schemas/decimal.js'
import {
  OrderFlag,
  OrderStatus,
  orderStatusNames,
  type Right,
  routeNames,
  sideNames,
  tifNames,
} from '../schemas/domain.js'
import {
  eventMillisAt,
  factsBuilderAt,
  factsClientIdAt,
  factsClientIdBytesAt,
  factsFilledLotsAt,
  factsFlagsAt,
  factsInstrumentAt,
  factsOrderIdAt,
  factsPriceMicrosAt,
  factsSideAt,
  factsSizeLotsAt,
  factsStatusAt,
  factsTifAt,
  factsWalletAt,
  outcomeCommandAt,
  outcomeDetailsAt,
  outcomeFactsAt,
  outcomeFirstMillisAt,
  outcomeFirstSeqAt,
  outcomeFlagsAt,
  outcomeResultAt,
  rejectionBytes,
  rejectionKeyAt,
  rejectionNonceHighAt,
  rejectionNonceLowAt,
  rejectionOrderIdAt,
} from '../schemas/events.js'
import { CommandType } from '../schemas/generated/commands.js'
import { formatNonce } from '../schemas/nonce.js'
import { OutcomeFlag } from '../schemas/record-values.js'
import {
  isRejection,
  marginBounds,
  Result,
  type ResultDetail,
  resultRows,
  resultText,
} from '../schemas/results.js'
import { formatSymbol } from '../schemas/symbol.js'
import { formatAddress } from '../schemas/wallet.js'
import { Fault } from './fault.js'
import type { InstrumentName, InstrumentNames } from './instrument-names.js'
import { asciiAt } from './read-model/event-text.js'

/** A scenario as `details.scenario` names it. */
export interface ScenarioName {
  readonly kind: string
  readonly id: string
}

/** What a reader of outcomes looks names up in. */
export interface OutcomeNames {
  readonly instruments: InstrumentNames
  /** Scenarios at the places that the engine sends: see `scenariosPerModel`. */
  readonly scenarios: readonly (ScenarioName | undefined)[]
}

/** An Outcome or OrderUpdate event in the words of the wire. */
export interface OutcomeView {
  readonly result: Result
  readonly seq: number
  readonly timeMillis: number
  /** Status of the order after the event; of a refused request `REJECTED`. */
  readonly status: string
  readonly isMmpTriggered: boolean
  /** Accepted for a wallet without cash. */
  readonly isUnfunded: boolean
  /** Of the order concerned; 0: none. */
  readonly orderId: number
  readonly filledLots: number
  /** Values of the engine for the reason's text and for `details`, by name. */
  readonly details: Readonly<Record<string, DetailValue>> | null
}

/** Facts of the order that an outcome is about; texts are canonical. */
export interface OrderFacts {
  /** 0: none. */
  readonly orderId: number
  readonly instrument: InstrumentName | undefined
  readonly side: string
  readonly tif: string
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
const nakedShort = { cause: 'naked_short' }
// With status CANCELED these explain a cancellation; with any other status they are rejections.
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
])

/** Reads the event at `at` at once; nothing of the log is kept. */
export function readOutcome(log: EventLogReader, at: number, names: OutcomeNames): OutcomeView {
  const result = log.i32[(at + outcomeResultAt) >> 2] as Result
  const facts = at + outcomeFactsAt
  const status = log.i32[(facts + factsStatusAt) >> 2]
  const isRepeat = (log.i32[(at + outcomeFlagsAt) >> 2] & OutcomeFlag.Repeat) !== 0
  const isSignedRepeat = isRepeat && log.f64[(at + outcomeFirstSeqAt) >> 3] > 0
  return {
    result,
    seq: answerSeqOf(log, at),
    timeMillis: log.f64[(at + (isSignedRepeat ? outcomeFirstMillisAt : eventMillisAt)) >> 3],
    status: statusName(result, status),
    isMmpTriggered: (log.i32[(at + outcomeFlagsAt) >> 2] & OutcomeFlag.MmpTriggered) !== 0,
    isUnfunded: (log.i32[(at + outcomeFlagsAt) >> 2] & OutcomeFlag.Unfunded) !== 0,
    orderId: log.f64[(facts + factsOrderIdAt) >> 3],
    filledLots: log.f64[(facts + factsFilledLotsAt) >> 3],
    details: readDetails(log, at + outcomeDetailsAt, result, names),
  }
}

/** What was asked for under an OrderUpdate that tells of a refusal; null of any other. */
export interface Rejection {
  readonly nonce: number | string
  /** Values for the reason's text. */
  readonly values: Readonly<Record<string, string>>
  /** Text of the instrument's symbol, '' of a cancel's. */
  readonly symbol: string
  readonly isCancel: boolean
}

export function readRejection(log: EventLogReader, at: number): Rejection | null {
  if (log.i32[(at + recordBytesAt) >> 2] < rejectionBytes) return null
  const { u32, f64, i32 } = log
  const nonce = formatNonce(
    u32[(at + rejectionNonceHighAt) >> 2],
    u32[(at + rejectionNonceLowAt) >> 2],
  )
  const key = at + rejectionKeyAt
  const underlying = asciiAt(log, key + keyUnderlyingAt, underlyingBytesMax).replace(/\0+$/, '')
  const symbol =
    underlying === ''
      ? ''
      : formatSymbol({
          underlying,
          expiryDate: i32[(key + keyExpiryDateAt) >> 2],
          right: i32[(key + keyRightAt) >> 2] as Right,
          strikeMicros: f64[(key + keyStrikeMicrosAt) >> 3],
        })
  const orderId = f64[(at + rejectionOrderIdAt) >> 3]
  const values = { nonce, symbol, underlying, order_id: String(orderId) }
  const command = i32[(at + outcomeCommandAt) >> 2]
  const isCancel = command === CommandType.CancelOrder || command === CommandType.CancelByClientId
  return {
    nonce: Number.isSafeInteger(Number(nonce)) ? Number(nonce) : nonce,
    values,
    symbol,
    isCancel,
  }
}

/** Whether the outcome is an HTTP error (or a stream's Error) rather than an answer about an order. */
export function isErrorResult(result: Result): boolean {
  return result < 0 && !isRejection(result)
}

/** @param values for the `{name}` places of the text; what the engine sends along goes before them. */
export function reasonOf(
  outcome: OutcomeView,
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

/** Values for reasons that the facts of an order know. */
export function valuesOfFacts(facts: OrderFacts): Readonly<Record<string, string>> {
  return {
    symbol: facts.instrument?.symbol ?? '',
    underlying: facts.instrument?.underlying ?? '',
    expiry: String(facts.instrument?.expiryDate ?? ''),
    order_id: String(facts.orderId),
    client_id: facts.clientId,
  }
}

function statusName(result: Result, status: number): string {
  const isCancellation = status === OrderStatus.Canceled && cancelCauses.has(result)
  const isRefused = result < 0 && !isCancellation
  return orderStatusNames[isRefused ? OrderStatus.Rejected : status] ?? ''
}

/** The facts block of an Outcome or OrderUpdate at `at`, as texts. */
export function readFacts(
  log: EventLogReader,
  eventAt: number,
  instruments: InstrumentNames,
): OrderFacts {
  const at = eventAt + outcomeFactsAt
  const flags = log.i32[(at + factsFlagsAt) >> 2]
  const clientIdBytes = log.i32[(at + factsClientIdBytesAt) >> 2]
  return {
    orderId: log.f64[(at + factsOrderIdAt) >> 3],
    instrument: instruments.instrument(log.i32[(at + factsInstrumentAt) >> 2]),
    side: sideNames[log.i32[(at + factsSideAt) >> 2]] ?? '',
    tif: tifNames[log.i32[(at + factsTifAt) >> 2]] ?? '',
    price: formatMicros(log.f64[(at + factsPriceMicrosAt) >> 3]),
    size: formatLots(log.f64[(at + factsSizeLotsAt) >> 3]),
    filledLots: log.f64[(at + factsFilledLotsAt) >> 3],
    clientId: asciiAt(log, at + factsClientIdAt, clientIdBytes),
    wallet: formatAddress(log.u8, at + factsWalletAt),
    builder: flags & OrderFlag.HasBuilder ? formatAddress(log.u8, at + factsBuilderAt) : null,
    isMmpEnabled: (flags & OrderFlag.MmpEnabled) !== 0,
    isReduceOnly: (flags & OrderFlag.ReduceOnly) !== 0,
  }
}

function readDetails(
  log: EventLogReader,
  at: number,
  result: Result,
  names: OutcomeNames,
): OutcomeView['details'] {
  const rows = resultRows[result]?.details
  if (rows === undefined) return null
  const isNaked = result === Result.NakedShortCalls || result === Result.NakedShortPuts
  const details: Record<string, DetailValue> = isNaked ? { ...nakedShort } : {}
  rows.forEach((row, index) => {
    details[row.name] = detailValue(row, log.f64[(at >> 3) + index], names)
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

/** Why a write without an order was refused, where the engine has named amounts; else null. */
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
