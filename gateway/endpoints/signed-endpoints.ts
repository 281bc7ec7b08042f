import type { LatencyKind } from '../../engine/memory/latencies.js'
import { Envelope } from '../../schemas/interface/answer.js'
import { accountActions } from '../actions/account-actions.js'
import type { Action, Fields } from '../actions/action.js'
import { directivePathOf, signedDirectives } from '../actions/directive-actions.js'
import {
  cancelByClientIdFields,
  cancelEitherFields,
  placeFields,
  replaceFields,
} from '../actions/order-actions.js'
import { acceptFields, submitFields } from '../actions/rfq-actions.js'
import type { BulkList } from '../commands/bulk-items.js'

/** A signed write of the public interface, under its method and path. */
export interface SignedEndpoint {
  readonly envelope: Envelope
  /** What the time of its answers counts as; null: it changes nothing. */
  readonly latency: LatencyKind | null
  /** Fields of its body, of a bulk those of an item. */
  readonly body: Fields
  /** Name of a bulk's list; null: not a bulk. */
  readonly list: BulkList | null
}

/** Orders and cancels of options. */
export const orderEndpoints = {
  'POST /order': single('place', placeFields),
  'PUT /order': single('replace', replaceFields),
  'DELETE /order': single('cancel', cancelEitherFields),
  'POST /order/debug': single(null, placeFields),
  'DELETE /order_cloid': { ...single('cancel', cancelByClientIdFields), envelope: Envelope.Data },
  // Its body is a nested action (commands/perp-request.ts).
  'POST /perp-order': single('perp', {}),
} as const satisfies Readonly<Record<string, SignedEndpoint>>
export type OrderEndpoint = keyof typeof orderEndpoints

/** Requests for quote. */
export const rfqEndpoints = {
  'POST /rfq/request': single('rfq', submitFields),
  'POST /rfq/accept': single('rfq', acceptFields),
} as const satisfies Readonly<Record<string, SignedEndpoint>>
export type RfqEndpoint = keyof typeof rfqEndpoints

export const bulkEndpoints: Readonly<Record<string, SignedEndpoint & { readonly list: BulkList }>> =
  {
    'POST /bulk_order': bulk('orders', placeFields),
    'PUT /bulk_order': bulk('replacements', replaceFields),
    'DELETE /bulk_order': bulk('cancels', cancelEitherFields),
    'DELETE /bulk_order_cloid': bulk('cancels', cancelEitherFields),
    'POST /orders': bulk('orders', placeFields),
    'POST /orders/cancel': bulk('cancels', cancelEitherFields),
  }

/** All that is signed; those of the account stand in the rows of their actions. */
export const signedEndpoints: ReadonlyMap<string, SignedEndpoint> = new Map([
  ...Object.entries<SignedEndpoint>(orderEndpoints),
  ...Object.entries(bulkEndpoints),
  ...Object.entries(rfqEndpoints),
  // Their bodies are nested actions (commands/directive-request.ts).
  ...signedDirectives.map(
    ({ key }) => [`POST ${directivePathOf(key)}`, single('perp', {})] as const,
  ),
  ...Object.values<Action>(accountActions).map(({ endpoint, envelope, fields }) => {
    const row: SignedEndpoint = { envelope, latency: 'account', body: fields, list: null }
    return [endpoint.join(' '), row] as const
  }),
])

function single(latency: LatencyKind | null, body: Fields) {
  return { envelope: Envelope.Bare, latency, body, list: null }
}

function bulk(list: BulkList, body: Fields) {
  return { envelope: Envelope.Bare, latency: 'bulk', body, list } as const
}
