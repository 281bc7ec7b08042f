import type { EventLogReader } from '../../engine/memory/event-log.js'
import type { Ring } from '../../engine/memory/ring.js'
import type { StructType } from '../../schemas/typed-data.js'
import { type TypedMessage, typedDataDigest } from '../auth/typed-data-digest.js'
import type { RecordShape } from '../commands/write-order.js'
import { Fault } from '../fault.js'
import type { GatewayContext } from '../gateway-context.js'
import { admit, type SignedRequest } from '../limits/admission.js'
import { RateCategory } from '../limits/rate-windows.js'
import { Envelope } from '../read-model/answers.js'
import type { HttpCall } from '../transport.js'
import { type AccountWrite, AccountWriteAnswer, sendAccountWrite } from './account-write.js'
import { answerFault } from './http-answer.js'

/** A write on its way, signed by the wallet or an agent of it; its wallet bytes and nonce stand in `Signing`. */
export interface SignedWrite
  extends Pick<AccountWrite, 'faultOf'>,
    Pick<SignedRequest, 'isOwnersResort'> {
  /** Wallet as lower-case text, nonce as decimal text. */
  readonly request: {
    readonly wallet: string
    readonly nonce: string
    readonly signature: string
  }
  /** What is signed. */
  readonly struct: StructType
  readonly message: TypedMessage
  readonly record: RecordShape
  /** Writes what the command has beside signer, wallet and nonce. */
  readonly fill: (ring: Ring, at: number) => void
  /** `data` of the answer when the engine has accepted. */
  readonly dataOf: (log: EventLogReader, at: number) => unknown
}

/** Looks at signature and limits, sends the command, and answers: all of it in the envelope E2. */
export function sendSignedWrite(context: GatewayContext, call: HttpCall, write: SignedWrite): void {
  const { signing } = context
  const { request, struct, message, record, fill, dataOf } = write
  const { wallet, nonce, signature } = request
  signing.digest.set(typedDataDigest(signing.domain, struct, message))
  const category = RateCategory.ApiRequest
  const { isOwnersResort = false } = write
  const admission = admit(context, {
    ...{ address: call.address, wallet, signature, subject: write, category, isOwnersResort },
  })
  const envelope = Envelope.Data
  if (admission instanceof Fault) answerFault(call, admission, envelope)
  else {
    const bodyOf: AccountWrite['bodyOf'] = (seq, log, at) => dataBody(dataOf(log, at), seq)
    const answer = new AccountWriteAnswer(context, call, {
      ...write,
      ...{ admission, nonce, envelope, bodyOf },
    })
    sendAccountWrite(context, record, answer, signing.wallet, fill)
  }
}

/** Body of an accepted write that is answered in E2. */
export function dataBody(data: unknown, seq: number): object {
  return { success: true, data, error: null, as_of_seq: seq }
}
