import { intervalMillisMax, limitMicrosMax } from '../../engine/matching/mmp-window.js'
import { underlyingBytesMax } from '../../schemas/bounds.js'
import { decimalFaultText, parseAmountMicros } from '../../schemas/decimal.js'
import { outcomeFactsAt } from '../../schemas/events.js'
import { CommandType } from '../../schemas/generated/commands.js'
import {
  endMmpBytes,
  factsMmpDeltaMicrosAt,
  factsMmpFrozenUntilAt,
  factsMmpQtyMicrosAt,
  factsMmpVegaMicrosAt,
  mmpFrozenMillisAt,
  mmpIntervalMillisAt,
  mmpLimitsAt,
  mmpUnderlyingAt,
  setMmpBytes,
} from '../../schemas/mmp.js'
import { formatNonce } from '../../schemas/nonce.js'
import { Result } from '../../schemas/results.js'
import { type StructType, typedStructs } from '../../schemas/typed-data.js'
import { BodyFields, signedFields } from '../commands/body-fields.js'
import { badNonce } from '../commands/order-request.js'
import { invalidField, type JsonObject, takeWallet } from '../commands/request-fields.js'
import type { Signing } from '../commands/signing.js'
import { Fault } from '../fault.js'
import type { GatewayContext } from '../gateway-context.js'
import { Envelope } from '../read-model/answers.js'
import { mmpConfigJson } from '../read-model/routes/mmp-text.js'
import type { HttpCall } from '../transport.js'
import { answerFault } from './http-answer.js'
import { readJsonBody } from './json-body.js'
import { type SignedWrite, sendSignedWrite } from './signed-write.js'

/** What the three writes have in common. Wallet bytes and nonce stand in `Signing` as well. */
interface MmpRequest {
  /** Lower-case text. */
  readonly wallet: string
  /** Text of the underlying. */
  readonly currency: string
  /** Decimal text. */
  readonly nonce: string
  readonly signature: string
}

interface MmpTerms {
  readonly intervalMillis: number
  readonly frozenMillis: number
  /** Quantity, delta, vega: as received, '' where there is no limit, and in micros, 0 there. */
  readonly limitTexts: readonly [string, string, string]
  readonly limitMicros: readonly number[]
}

/** What one of the three has of its own: what else is signed and sent, and what its acceptance shows. */
interface MmpWrite extends Pick<SignedWrite, 'struct' | 'record' | 'fill' | 'dataOf'> {
  readonly request: MmpRequest
  readonly terms: Readonly<Record<string, string | number>>
}

const limitNames = ['qty_limit', 'delta_limit', 'vega_limit'] as const

const endFields = new BodyFields({ wallet: 'text', currency: 'text', ...signedFields })
const configFields = new BodyFields({
  ...{ wallet: 'text', currency: 'text', interval_ms: 'integer', frozen_time_ms: 'integer' },
  ...signedFields,
  ...Object.fromEntries(limitNames.map((name) => [`${name}?`, 'text'] as const)),
})

/** POST /mmp-config: sets the protection of a wallet in an underlying. */
export function setMmpConfig(context: GatewayContext, call: HttpCall): void {
  const body = readJsonBody(call.body)
  const request = body instanceof Fault ? body : readRequest(body, context.signing, true)
  const terms = body instanceof Fault || request instanceof Fault ? null : readTerms(body)
  if (request instanceof Fault) answerFault(call, request, Envelope.Data)
  else if (terms instanceof Fault) answerFault(call, terms, Envelope.Data)
  else send(context, call, writeOf(request, terms!))
}

/** DELETE /mmp-config: ends it. */
export function deleteMmpConfig(context: GatewayContext, call: HttpCall): void {
  end(context, call, typedStructs.DeleteMmpConfig, CommandType.DeleteMmp, 'deleted')
}

/** POST /mmp-config/reset: clears sums and freeze. */
export function resetMmp(context: GatewayContext, call: HttpCall): void {
  end(context, call, typedStructs.ResetMmp, CommandType.ResetMmp, 'reset')
}

function end(
  context: GatewayContext,
  call: HttpCall,
  struct: StructType,
  type: CommandType,
  data: string,
): void {
  const body = readJsonBody(call.body)
  const request = body instanceof Fault ? body : readRequest(body, context.signing, false)
  if (request instanceof Fault) {
    answerFault(call, request, Envelope.Data)
    return
  }
  const record = { bytes: endMmpBytes, type }
  send(context, call, { request, struct, terms: {}, record, fill() {}, dataOf: () => data })
}

function writeOf(request: MmpRequest, terms: MmpTerms): MmpWrite {
  const { intervalMillis, frozenMillis, limitTexts, limitMicros } = terms
  const [qtyLimit, deltaLimit, vegaLimit] = limitTexts
  return {
    request,
    struct: typedStructs.SetMmpConfig,
    terms: {
      intervalMs: intervalMillis,
      frozenTimeMs: frozenMillis,
      qtyLimit,
      deltaLimit,
      vegaLimit,
    },
    record: { bytes: setMmpBytes, type: CommandType.SetMmp },
    fill: ({ f64 }, at) => {
      f64[(at + mmpIntervalMillisAt) >> 3] = intervalMillis
      f64[(at + mmpFrozenMillisAt) >> 3] = frozenMillis
      f64.set(limitMicros, (at + mmpLimitsAt) >> 3)
    },
    dataOf: ({ f64 }, at) => {
      const facts = at + outcomeFactsAt
      const { wallet, currency, nonce } = request
      return mmpConfigJson({
        wallet,
        currency,
        intervalMillis,
        frozenMillis,
        limitMicros,
        nonce,
        frozenUntilMillis: f64[(facts + factsMmpFrozenUntilAt) >> 3]!,
        windowMicros: [
          f64[(facts + factsMmpQtyMicrosAt) >> 3]!,
          f64[(facts + factsMmpDeltaMicrosAt) >> 3]!,
          f64[(facts + factsMmpVegaMicrosAt) >> 3]!,
        ],
      })
    },
  }
}

function send(context: GatewayContext, call: HttpCall, write: MmpWrite): void {
  const { request, terms } = write
  const { wallet, currency, nonce } = request
  sendSignedWrite(context, call, {
    ...write,
    message: { wallet, currency, ...terms, nonce },
    fill: (ring, at) => {
      ring.u8.fill(0, at + mmpUnderlyingAt, at + mmpUnderlyingAt + underlyingBytesMax)
      ring.u8.set(Buffer.from(currency, 'latin1'), at + mmpUnderlyingAt)
      write.fill(ring, at)
    },
    faultOf: (result) => faultOf(result, currency),
  })
}

/** Words of this endpoint for what the engine refuses; null: the usual ones. */
function faultOf(result: Result, currency: string): Fault | null {
  if (result === Result.NotFound) return new Fault(result, {}, `No MMP config for ${currency}`)
  if (result === Result.InvalidField) return invalidField('currency', 'must be a listed underlying')
  return null
}

/** @param hasTerms whether the body has those of a config: they are missing, or of a wrong type, first. */
function readRequest(body: JsonObject, signing: Signing, hasTerms: boolean): MmpRequest | Fault {
  const fields = hasTerms ? configFields : endFields
  const malformed = fields.fault(body, signing.refusesUnknownFields) ?? badNonce(body, signing)
  if (malformed !== null) return malformed
  const [wallet, currency] = [body['wallet'] as string, body['currency'] as string]
  const fault = takeWallet(wallet, signing.wallet) ?? wrongCurrency(currency)
  if (fault !== null) return fault
  return {
    wallet: wallet.toLowerCase(),
    currency,
    nonce: formatNonce(signing.nonce[0]!, signing.nonce[1]!),
    signature: body['signature'] as string,
  }
}

/** The values of a body whose types were checked. */
function readTerms(body: JsonObject): MmpTerms | Fault {
  const [intervalMillis, frozenMillis] = [body['interval_ms'], body['frozen_time_ms']] as number[]
  const limitTexts = limitNames.map((name) => (body[name] ?? '') as string)
  const limitMicros = limitTexts.map((text) => (text === '' ? 0 : parseAmountMicros(text)))
  const fault =
    outside('interval_ms', intervalMillis!, 1) ??
    outside('frozen_time_ms', frozenMillis!, 0) ??
    wrongLimit(limitMicros)
  if (fault !== null) return fault
  return {
    intervalMillis: intervalMillis!,
    frozenMillis: frozenMillis!,
    limitTexts: limitTexts as unknown as MmpTerms['limitTexts'],
    limitMicros,
  }
}

function outside(name: string, value: number, min: number): Fault | null {
  if (value >= min && value <= intervalMillisMax) return null
  return invalidField(name, `must be from ${min} to ${intervalMillisMax}`)
}

function wrongLimit(limitMicros: readonly number[]): Fault | null {
  for (const [place, micros] of limitMicros.entries()) {
    const name = limitNames[place]!
    if (micros < 0) return invalidField(name, decimalFaultText(name, micros))
    if (micros > limitMicrosMax) return invalidField(name, 'is too large')
  }
  const isLimited = limitMicros.some((micros) => micros > 0)
  return isLimited ? null : invalidField('qty_limit', 'one of the three limits must be given')
}

/** Whether there are instruments of it, the engine knows. */
function wrongCurrency(currency: string): Fault | null {
  const fits = currency.length > 0 && currency.length <= underlyingBytesMax
  if (fits && /^[\x21-\x7e]+$/.test(currency)) return null
  return invalidField('currency', 'must be a listed underlying')
}
