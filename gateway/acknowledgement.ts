import { type LatencyKind, latencyKinds } from '../engine/memory/latencies.js'
import { bodyRoute } from './read-model/read-protocol.js'

const kindOf = (kind: LatencyKind): number => latencyKinds.indexOf(kind)

const uncounted = -1
const account = kindOf('account')
const order: Readonly<Record<string, number>> = {
  POST: kindOf('place'),
  PUT: kindOf('replace'),
  DELETE: kindOf('cancel'),
}
const byPath: ReadonlyMap<string, Readonly<Record<string, number>>> = new Map([
  ['/order', order],
  ['/order_cloid', { DELETE: kindOf('cancel') }],
  ['/perp-order', { POST: kindOf('perp') }],
  // Neither is acknowledged: they change nothing.
  ['/order/debug', {}],
  [bodyRoute, {}],
  ...['/bulk_order', '/bulk_order_cloid', '/orders', '/orders/cancel'].map(
    (path) =>
      [path, { POST: kindOf('bulk'), PUT: kindOf('bulk'), DELETE: kindOf('bulk') }] as const,
  ),
])

/** Of the stream's PlaceOrder. */
export const streamPlaceKind = kindOf('stream_place')

/** What the answer of a request counts as, a place in `latencyKinds`; -1 for reads. */
export function acknowledgementKind(method: string, path: string): number {
  const kinds = byPath.get(path)
  if (kinds !== undefined) return Object.hasOwn(kinds, method) ? kinds[method]! : uncounted
  return method === 'POST' || method === 'PUT' || method === 'DELETE' ? account : uncounted
}

/** Steady microseconds that go round: a small integer, which costs no memory wherever it is kept. */
export function nowMicros(): number {
  return (performance.now() * 1000) | 0
}

/** Milliseconds since `nowMicros` said so, of anything that takes less than half an hour. */
export function millisSince(micros: number): number {
  return ((nowMicros() - micros) | 0) / 1000
}
