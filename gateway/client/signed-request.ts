import { camelCaseOf } from '../../schemas/camel-case.js'
import type { SignedShape } from '../../schemas/interface/body.js'
import type { DirectiveKey } from '../../schemas/interface/directives.js'
import {
  directivePathOf,
  type SignedDirective,
  signedDirectives,
  termsOf,
} from '../../schemas/signing/directive-actions.js'
import { cancelStructName, orderStructName } from '../../schemas/signing/order-actions.js'
import type { PerpAction } from '../../schemas/signing/perp-action-hash.js'
import type { StructType } from '../../schemas/typed-data.js'
import { type DirectiveTerms, signDirective } from './directives.js'
import { type SignedWrite, signedAcceptance, signedWrites, structs } from './generated/interface.js'
import { signPerpAction } from './perp-actions.js'
import { type SigningContext, signBody } from './signed-actions.js'

type Json = Readonly<Record<string, unknown>>

/** The key that signs, and the values that the venue's signatures depend on. */
export interface RequestSigning {
  readonly context: SigningContext
  /** `perp_source` of GET /exchange-info. */
  readonly perpSource: string
  readonly nextNonce: () => number
}

/**
 * Signs the body of any signed operation, with a new nonce. Fields that the venue does not know stay in the body.
 * @param key Method and path, as `POST /order`.
 * @param body Body without a signature. An acceptance of a quote also needs `net_premium`, which the signature covers and
 * the request leaves out.
 * @returns null if the operation is not signed.
 * @throws Error if a field that the signature covers is missing or malformed.
 */
export function signedRequest(key: string, body: Json, signing: RequestSigning): Json | null {
  const { context, perpSource, nextNonce } = signing
  const directive = signedDirectives.find((each) => key === `POST ${directivePathOf(each.key)}`)
  if (directive !== undefined) {
    const terms = directiveTerms(directive, body['action'] as Json)
    return { ...body, ...signDirective(context, directive.key, terms, nextNonce()) }
  }
  if (key === 'POST /perp-order') {
    const expiresAfter = Number(body['expiresAfter'] ?? 0) || null
    const perpContext = { ...context, source: perpSource }
    const action = body['action'] as PerpAction
    return { ...body, ...signPerpAction(perpContext, action, nextNonce(), expiresAfter) }
  }
  const row = (signedWrites as Readonly<Record<string, SignedWrite>>)[key]
  if (row === undefined) return null
  const fields = key === 'POST /rfq/accept' ? signedAcceptance : row.body
  const sign = (item: Json) => signedItem(fields, structOf(row, item), item, signing)
  const { list } = row
  if (list === null || !Array.isArray(body[list])) return sign(body)
  return { ...body, [list]: (body[list] as readonly Json[]).map(sign) }
}

/** Returns the terms of a directive, with hexadecimal integers as bigints. */
function directiveTerms(directive: SignedDirective, action: Json): DirectiveTerms[DirectiveKey] {
  const integers = termsOf(directive).filter(({ type }) => type.startsWith('uint'))
  const isInteger = (name: string) => integers.some((field) => field.name === name)
  const terms = Object.entries(action).map(([name, value]) => {
    return [name, isInteger(name) && typeof value === 'string' ? BigInt(value) : value]
  })
  return Object.fromEntries(terms)
}

function signedItem(
  fields: SignedShape,
  struct: StructType,
  body: Json,
  { context, nextNonce }: RequestSigning,
): Json {
  const named = Object.entries({ ...body, wallet_address: context.wallet })
  const terms = Object.fromEntries(named.map(([name, value]) => [camelCaseOf(name), value]))
  const signed = { ...body, ...signBody(context, struct, fields, terms, nextNonce()) }
  if (fields !== signedAcceptance) return signed
  const { net_premium: _, ...acceptance } = signed as Json
  return acceptance
}

/** Returns the struct that the fields of a body select. */
function structOf({ body: fields, structs: several }: SignedWrite, body: Json): StructType {
  if (several.length === 1) return several[0]!
  if ('auto_accept_limit' in fields) {
    const isAuto = (body['auto_accept_limit'] ?? null) !== null
    return isAuto ? structs.SubmitAutoExecuteRfq : structs.SubmitRFQ
  }
  const orderId = String(body['order_id'] ?? '')
  if (!('symbol' in fields)) return structs[cancelStructName({ orderId })]
  const route = (body['route'] ?? null) as string | null
  return structs[orderStructName({ orderId, route, reduceOnly: body['reduce_only'] === true })]
}
