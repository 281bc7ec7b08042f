import { RfqKind } from '../../schemas/domain.js'
import {
  AcceptRfqQuoteCommand,
  AnyCommand,
  SubmitRfqCommand,
} from '../../schemas/generated/commands.js'
import { rfqStructs } from '../../schemas/interface/rfq-bodies.js'
import type { RecordSink } from '../../schemas/record-views.js'
import { Result } from '../../schemas/results.js'
import type { StructType } from '../../schemas/typed-data.js'
import { type ActionRequest, readAction } from '../actions/action.js'
import type { ComboLeg } from '../actions/combo-legs.js'
import { rfqForms, uuidBytesOf } from '../actions/rfq-actions.js'
import type { Signing } from '../actions/signing.js'
import type { RfqBook } from '../link/rfq-book.js'
import { Fault } from '../wire/fault.js'
import { writeKey } from '../wire/instrument-key.js'
import type { JsonObject } from '../wire/request-fields.js'
import { writeSigned } from './write-order.js'

/** Signed write about an RFQ. Wallet and nonce are in `Signing`. */
interface SignedRfq {
  /** UUID in lower case, like all ids. */
  readonly rfqId: string
  /** Lower-case text. */
  readonly wallet: string
  /** Decimal text. */
  readonly nonce: string
  readonly struct: StructType
  readonly message: ActionRequest['message']
  readonly signature: string
}

export interface RfqSubmission extends SignedRfq {
  readonly legs: readonly ComboLeg[]
  /** Null: not auto-executed. */
  readonly limitMicros: number | null
}

export interface RfqAcceptance extends SignedRfq {
  readonly quoteId: string
  readonly netPremiumMicros: number
}

export type SubmissionForm = 'submit' | 'SubmitRfq' | 'SubmitAutoExecuteRfq'
export type AcceptanceForm = 'accept' | 'AcceptRfqQuote'

const submit = new SubmitRfqCommand()
const accept = new AcceptRfqQuoteCommand()
const command = new AnyCommand()

/** Reads a body, or a frame of the stream. @returns The submission or the first fault. */
export function readSubmission(
  body: JsonObject,
  form: SubmissionForm,
  signing: Signing,
): RfqSubmission | Fault {
  const request = readAction<typeof rfqForms.submit.body>(rfqForms[form] as never, body, signing)
  if (request instanceof Fault) return request
  const { rfq_id: rfqId, legs, ...rest } = request.values
  const { auto_accept_limit: restLimit = null, limit_price: streamLimit = null } = rest as {
    readonly auto_accept_limit?: number | null
    readonly limit_price?: number
  }
  const limitMicros = restLimit ?? streamLimit
  const struct = limitMicros === null ? rfqStructs.SubmitRFQ : rfqStructs.SubmitAutoExecuteRfq
  return { ...signedPart(request, rfqId), struct, legs, limitMicros }
}

/** Fault `RfqUnknown` or `QuoteUnknown`: the book has no such quote. */
export class UnknownQuote extends Fault {
  readonly rfqId: string
  readonly quoteId: string

  constructor(result: Result, rfqId: string, quoteId: string) {
    super(result)
    this.rfqId = rfqId
    this.quoteId = quoteId
  }
}

/**
 * Reads a body, or a frame of the stream. Its signature covers the quote's premium, which the gateway must know.
 * @param known The book, or the premium in micros if it is known otherwise.
 * @returns The acceptance or the first fault; `UnknownQuote` only after all other checks.
 */
export function readAcceptance(
  body: JsonObject,
  form: AcceptanceForm,
  signing: Signing,
  known: RfqBook | number,
): RfqAcceptance | Fault {
  const request = readAction<typeof rfqForms.accept.body>(rfqForms[form] as never, body, signing)
  if (request instanceof Fault) return request
  const { rfq_id: rfqId, quote_id: quoteId } = request.values
  const netPremiumMicros = typeof known === 'number' ? known : premiumIn(known, rfqId, quoteId)
  if (netPremiumMicros instanceof Fault) return netPremiumMicros
  const part = signedPart(request, rfqId)
  const message = { ...part.message, netPremium: BigInt(netPremiumMicros) }
  return { ...part, message, struct: rfqStructs.AcceptRFQQuote, quoteId, netPremiumMicros }
}

function premiumIn(book: RfqBook, rfqId: string, quoteId: string): number | UnknownQuote {
  const rfq = book.find(rfqId)
  const result = rfq === undefined ? Result.RfqUnknown : Result.QuoteUnknown
  return rfq?.quotes.get(quoteId)?.netPremiumMicros ?? new UnknownQuote(result, rfqId, quoteId)
}

function signedPart(request: ActionRequest, rfqId: string): Omit<SignedRfq, 'struct'> {
  const { wallet, nonce, message, signature } = request
  return { rfqId, wallet, nonce, message, signature }
}

/** Writes the command of a submission. @returns False if the sink has no room. */
export function writeSubmission(
  sink: RecordSink,
  signing: Signing,
  { rfqId, legs, limitMicros }: RfqSubmission,
): boolean {
  if (!submit.claim(sink, SubmitRfqCommand.bytesWith(legs.length))) return false
  writeSigned(command.of(submit), signing, signing.wallet, signing.nonce[0]!, signing.nonce[1]!)
  submit.u8.set(uuidBytesOf(rfqId), submit.rfqIdAt)
  submit.kind = limitMicros === null ? RfqKind.Plain : RfqKind.Auto
  submit.limitMicros = limitMicros ?? 0
  submit.count = legs.length
  for (const [index, { terms, side, sizeLots }] of legs.entries()) {
    const leg = submit.legs(index)
    writeKey(leg.key, terms)
    leg.side = side
    leg.sizeLots = sizeLots
  }
  return true
}

/** Writes the command of an acceptance. @returns False if the sink has no room. */
export function writeAcceptance(
  sink: RecordSink,
  signing: Signing,
  { rfqId, quoteId, netPremiumMicros }: RfqAcceptance,
): boolean {
  if (!accept.claim(sink)) return false
  writeSigned(command.of(accept), signing, signing.wallet, signing.nonce[0]!, signing.nonce[1]!)
  accept.u8.set(uuidBytesOf(rfqId), accept.rfqIdAt)
  accept.u8.set(uuidBytesOf(quoteId), accept.quoteIdAt)
  accept.netPremiumMicros = netPremiumMicros
  return true
}
