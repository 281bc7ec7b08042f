import type { StructType } from '../../schemas/typed-data.js'
import { accountActions } from '../actions/account-actions.js'
import { type Action, camelCaseOf, type Fields } from '../actions/action.js'
import {
  type DirectiveKey,
  directivePathOf,
  type SignedDirective,
  signedDirectives,
  termsOf,
} from '../actions/directive-actions.js'
import {
  cancelByClientIdFields,
  cancelEitherFields,
  cancelStructName,
  orderStructName,
  orderStructs,
  placeFields,
  replaceFields,
} from '../actions/order-actions.js'
import type { PerpAction } from '../actions/perp-action-hash.js'
import { rfqStructs, signedAcceptFields, submitFields } from '../actions/rfq-actions.js'
import { type DirectiveTerms, signDirective } from './directives.js'
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

/** Signed fields of orders, cancels and requests for quote; for a bulk, those of one item. */
const fieldsOfKeys: Readonly<Record<string, Fields>> = {
  ...{ 'POST /order': placeFields, 'POST /order/debug': placeFields, 'PUT /order': replaceFields },
  ...{ 'DELETE /order': cancelEitherFields, 'DELETE /order_cloid': cancelByClientIdFields },
  ...{ 'POST /bulk_order': placeFields, 'POST /orders': placeFields },
  ...{ 'PUT /bulk_order': replaceFields, 'DELETE /bulk_order': cancelEitherFields },
  ...{ 'DELETE /bulk_order_cloid': cancelEitherFields, 'POST /orders/cancel': cancelEitherFields },
  ...{ 'POST /rfq/request': submitFields, 'POST /rfq/accept': signedAcceptFields },
}
/** Names of the list in the body of a bulk. */
const listNames = ['orders', 'replacements', 'cancels']

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
  const action = Object.values<Action>(accountActions).find(
    ({ endpoint }) => endpoint.join(' ') === key,
  )
  if (action !== undefined) return signedItem(action.fields, action.struct, body, signing)
  const fields = fieldsOfKeys[key]
  if (fields === undefined) return null
  const list = listNames.find((name) => Array.isArray(body[name]))
  if (list === undefined) return signedItem(fields, structOf(fields, body), body, signing)
  const items = body[list] as readonly Json[]
  const signed = items.map((item) => signedItem(fields, structOf(fields, item), item, signing))
  return { ...body, [list]: signed }
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
  fields: Fields,
  struct: StructType,
  body: Json,
  { context, nextNonce }: RequestSigning,
): Json {
  const named = Object.entries({ ...body, wallet_address: context.wallet })
  const terms = Object.fromEntries(named.map(([name, value]) => [camelCaseOf(name), value]))
  const signed = { ...body, ...signBody(context, struct, fields, terms, nextNonce()) }
  if (fields !== signedAcceptFields) return signed
  const { net_premium: _, ...acceptance } = signed as Json
  return acceptance
}

function structOf(fields: Fields, body: Json): StructType {
  if (fields === signedAcceptFields) return rfqStructs.AcceptRFQQuote
  if (fields === submitFields) {
    const isAuto = (body['auto_accept_limit'] ?? null) !== null
    return isAuto ? rfqStructs.SubmitAutoExecuteRfq : rfqStructs.SubmitRFQ
  }
  const orderId = String(body['order_id'] ?? '')
  if (!('symbol' in fields)) return orderStructs[cancelStructName({ orderId })]
  const route = (body['route'] ?? null) as string | null
  return orderStructs[orderStructName({ orderId, route, reduceOnly: body['reduce_only'] === true })]
}
