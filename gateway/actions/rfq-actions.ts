import { uuidBytes } from '../../schemas/bounds.js'
import type { BodyShape } from '../../schemas/interface/body.js'
import {
  acceptBody,
  submitAutoFrame,
  submitBody,
  submitFrame,
} from '../../schemas/interface/rfq-bodies.js'
import { uuidToBytes32 } from '../../schemas/signing/rfq-encoding.js'
import { type ActionForm, bodyFieldsOf } from './action.js'

/** Readers of RFQ submissions and acceptances: bodies, and frames of the stream, which have a `type`. */
export const rfqForms = {
  submit: formOf(submitBody),
  accept: formOf(acceptBody),
  SubmitRfq: frameOf(submitFrame),
  SubmitAutoExecuteRfq: frameOf(submitAutoFrame),
  AcceptRfqQuote: frameOf(acceptBody),
}

const uuidAt = 16 // in the signed word

/** Returns the 16 bytes of a UUID. */
export function uuidBytesOf(uuid: string): Uint8Array {
  return uuidToBytes32(uuid)!.subarray(uuidAt, uuidAt + uuidBytes)
}

// Function declarations, because the table above is built while this file loads.

function formOf<F extends BodyShape>(body: F): ActionForm<F> {
  return { body, bodyFields: bodyFieldsOf(body) }
}

function frameOf<F extends BodyShape>(body: F): ActionForm<F> {
  return { body, bodyFields: bodyFieldsOf(body, { 'type?': 'any' }) }
}
