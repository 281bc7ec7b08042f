import { type LatencyKind, latencyKinds } from '../../schemas/domain.js'
import { endpointOf } from '../../schemas/interface/paths.js'
import { signedWrites } from '../../schemas/interface/writes.js'

const kindOf = (kind: LatencyKind): number => latencyKinds.indexOf(kind)

const uncounted = -1
/** Latency kinds by path, then method. */
const kinds = new Map<string, Map<string, number>>()
for (const [key, { latency }] of Object.entries(signedWrites)) {
  const [method, path] = endpointOf(key)
  const ofPath = kinds.get(path) ?? new Map<string, number>()
  kinds.set(path, ofPath.set(method, latency === null ? uncounted : kindOf(latency)))
}

/** Latency kind of the stream's PlaceOrder. */
export const streamPlaceKind = kindOf('stream_place')

/** Returns the latency kind of a request, an index of `latencyKinds`; -1 for reads. */
export function acknowledgementKind(method: string, path: string): number {
  return kinds.get(path)?.get(method) ?? uncounted
}

/** Returns the milliseconds between two monotonic microsecond counters that wrap around. Valid below half an hour. */
export function millisBetween(fromMicros: number, toMicros: number): number {
  return ((toMicros - fromMicros) | 0) / 1000
}
