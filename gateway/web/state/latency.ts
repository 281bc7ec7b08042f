import { signal } from '@preact/signals'
import type { OrderWhy } from '../../client/answer-types.js'
import { periodic } from './periodic.js'
import { session } from './session.js'
import { rest } from './venue.js'

/** Duration of a request until its answer. */
export interface Trip {
  readonly kind: 'read' | 'order' | 'cancel'
  readonly millis: number
  readonly orderId: number | null
}

const tripsMax = 200
const readMillis = 5000
const whyMillis = 300

/** Measured requests, the latest last. */
export const trips = signal<readonly Trip[]>([])
/** Stage times of the latest order; null: none yet, or the venue no longer has them. */
export const latestWhy = signal<OrderWhy | null>(null)

export function noteTrip(kind: Trip['kind'], millis: number, orderId: number | null = null): void {
  trips.value = [...trips.value, { kind, millis, orderId }].slice(-tripsMax)
  if (kind === 'order' && orderId !== null) setTimeout(() => void requestTrace(orderId), whyMillis)
}

/** Measures a small read periodically. */
export function startLatency(): void {
  periodic(readMillis, async () => {
    const sentMillis = performance.now()
    await rest.request('GET', '/health')
    noteTrip('read', performance.now() - sentMillis)
  })
}

async function requestTrace(orderId: number): Promise<void> {
  try {
    latestWhy.value = (await session.value?.client.safety.whyOrder({ orderId })) ?? null
  } catch {
    latestWhy.value = null
  }
}
