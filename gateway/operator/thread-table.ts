import type { Counters } from '../../engine/memory/counters.js'
import type { ExchangeMemory } from '../../engine/memory/exchange-memory.js'
import { Ring } from '../../engine/memory/ring.js'
import { steadyMillis } from '../../engine/memory/steady-clock.js'
import type { ThreadHealth } from './health.js'

/** Roles of all threads, in the order of `wakeupOf`, which is also that of the counter rows. */
export function threadRoles(memory: ExchangeMemory): readonly string[] {
  const numbered = (role: string, count: number) =>
    Array.from({ length: count }, (_, index) => `${role}-${index}`)
  return [
    'core',
    'journal',
    'snapshot',
    'read-model',
    'history',
    'operator',
    'push',
    ...numbered('gateway', memory.gateways),
    ...numbered('matcher', Math.max(1, memory.matchers)),
  ]
}

/** Returns the heartbeat age of every thread; null before its first heartbeat. @param nowMillis Monotonic time. */
export function threadHealth(
  roles: readonly string[],
  counters: Counters,
  nowMillis: number,
): readonly ThreadHealth[] {
  return roles.map((role, thread) => {
    const beatMillis = counters.heartbeatMillis(thread)
    return { role, silentMillis: beatMillis === 0 ? null : nowMillis - beatMillis }
  })
}

/** Returns the wall-clock time of a thread's last heartbeat; 0 before the first. */
export function heartbeatTime(counters: Counters, thread: number): number {
  const beatMillis = counters.heartbeatMillis(thread)
  return beatMillis === 0 ? 0 : Math.round(Date.now() - (steadyMillis() - beatMillis))
}

/** Returns every ring with the name of its consumer. */
export function ringsOf(memory: ExchangeMemory): readonly { name: string; ring: Ring }[] {
  const named = (prefixText: string, blocks: readonly SharedArrayBuffer[]) =>
    blocks.map((block, index) => ({
      name: `${prefixText}-${index}`,
      ring: new Ring(block, 'consumer'),
    }))
  return [
    ...named('commands', memory.commandRings),
    ...named('orders', memory.orderRings),
    ...named('results', memory.resultRings),
    { name: 'journal', ring: new Ring(memory.journalRing, 'consumer') },
    ...named('reads', memory.readRings),
    ...named('replies', memory.replyRings),
    { name: 'notices', ring: new Ring(memory.noticeRing, 'consumer') },
  ]
}
