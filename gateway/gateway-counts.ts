import { CounterName, type Counters } from '../engine/memory/counters.js'
import { floodCauses, floodCounters } from './limits/flood-close.js'
import type { GatewayContext } from './link/gateway-context.js'
import type { StreamHub } from './ws/stream-hub.js'

/** Parts of a gateway with counts. */
export type CountedParts = Pick<GatewayContext, 'signing' | 'port' | 'limits' | 'turn' | 'floods'>

/** Publishes the counts of a gateway's checks and streams. */
export function showGatewayCounts(
  counters: Counters,
  { signing, port, limits, turn, floods }: CountedParts,
  hub: StreamHub,
): void {
  const { opened, slowCloses, framesSent, bytesSent } = hub.totals
  counters.set(CounterName.SignaturesChecked, signing.checked)
  counters.set(CounterName.SignaturesFailed, signing.failed)
  counters.set(CounterName.RingFull, port.ringFull)
  counters.set(CounterName.BusyRefused, turn.refused)
  counters.set(CounterName.RateLimited, limits.refused)
  counters.set(CounterName.Sessions, hub.count)
  counters.set(CounterName.SessionsOpened, opened)
  counters.set(CounterName.SlowConsumerCloses, slowCloses)
  counters.set(CounterName.FramesSent, framesSent)
  counters.set(CounterName.BytesSent, bytesSent)
  for (const cause of floodCauses) counters.set(floodCounters[cause], floods.counts[cause])
}
