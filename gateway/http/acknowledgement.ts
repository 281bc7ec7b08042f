import { type LatencyKind, latencyKinds } from '../../schemas/domain.js'
import { endpointOf } from '../../schemas/interface/paths.js'
import { signedWrites } from '../../schemas/interface/writes.js'

const kindOf = (kind: LatencyKind): number => latencyKinds.indexOf(kind)

const uncounted = -1
/** By path, then method. */
const kinds = new Map<string, Map<string, number>>()
for (const [key, { latency }] of Object.entries(signedWrites)) {
  const [method, path] = endpointOf(key)
  const ofPath = kinds.get(path) ?? new Map<string, number>()
  kinds.set(path, ofPath.set(method, latency === null ? uncounted : kindOf(latency)))
}

/** Of the stream's PlaceOrder. */
export const streamPlaceKind = kindOf('stream_place')

/** What the answer of a request counts as, a place in `latencyKinds`; -1 for reads. */
export function acknowledgementKind(method: string, path: string): number {
  return kinds.get(path)?.get(method) ?? uncounted
}

/** Milliseconds from one to the other, of steady microseconds that go round: of less than half an hour. */
export function millisBetween(fromMicros: number, toMicros: number): number {
  return ((toMicros - fromMicros) | 0) / 1000
}
