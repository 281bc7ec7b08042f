import {
  type BodyKind,
  type LegJson,
  type SignedField,
  type SignedShape,
  signedNameOf,
} from '../interface/body.js'
import { legsHash, parsePremiumMicros, uuidToBytes32 } from './rfq-encoding.js'
import type { TypedMessage, TypedValue } from './typed-data-digest.js'

// Signed values of body fields, for the venue and for clients.

const lowerCase = (text: string): string => text.toLowerCase()

/** Signed value by kind, if it is not the JSON value itself. */
const signedForms: Readonly<Partial<Record<BodyKind, (json: never) => TypedValue>>> = {
  wallet: lowerCase,
  agent: lowerCase,
  orderId: (id: number | string) => String(Number(id)),
  payoutIds: (ids: readonly number[]) => ids.join(','),
  uuidWord: (text: string) => uuidToBytes32(text)!,
  legs: (legs: readonly LegJson[]) => legsHash(legs),
  premiumLimit: (text: string) => parsePremiumMicros(text, 'refuse')!,
  netPremium: (text: string) => parsePremiumMicros(text, 'truncate')!,
}

/** Returns the signed message of a body whose types were checked. @param nonce a number, or decimal text. */
export function messageOf(
  fields: SignedShape,
  body: Readonly<Record<string, unknown>>,
  nonce: number | string,
): TypedMessage {
  const message: Record<string, TypedValue> = {}
  for (const [name, field] of Object.entries(fields)) {
    if (field.signedType === null) continue
    message[signedNameOf(name, field)] = signedValue(field, body[name] ?? undefined)
  }
  return { ...message, nonce }
}

function signedValue(field: SignedField, json: unknown): TypedValue {
  if (json === undefined && field.isOptional) return field.signedAbsent
  const form = field.isSignedAsSent ? undefined : signedForms[field.kind]
  return form === undefined ? (json as TypedValue) : form(json as never)
}
