import type { Pinning } from '../config/pinning-rows.js'
import type { Machine } from './machine.js'

/** Numbers of threads in a configuration. */
export interface ThreadLayout {
  readonly gateways: number
  readonly matchers: number
}

export interface PinningPlan {
  readonly pinning: Pinning
  readonly notes: readonly string[]
}

/** Thread that may be pinned but gets no core in a proposal. */
const unpinnedRole = 'push'
/** Cores left for the kernel, the market maker and all unpinned threads. */
const coresLeft = 1

/** Returns the threads that get cores, starting with those in the path of an order. */
function rolesOf({ gateways, matchers }: ThreadLayout): readonly string[] {
  const numbered = (name: string, count: number) =>
    Array.from({ length: count }, (_, index) => `${name}-${index}`)
  return [
    ...['core', 'journal', ...numbered('matcher', matchers), ...numbered('gateway', gateways)],
    ...['read-model', 'history', 'snapshot'],
  ]
}

/** Proposes a core for each thread, first of each physical core. If cores run out, the other threads are not pinned. */
export function proposePinning(machine: Machine, layout: ThreadLayout): PinningPlan {
  const roles = rolesOf(layout)
  const order = coresByPreference(machine)
  const isIsolated = machine.isolated.length > 0
  // All isolated cores can be used; of others, one stays free.
  const free = isIsolated
    ? order.filter((core) => machine.isolated.includes(core))
    : order.slice(0, -coresLeft)
  const wanted = layout.matchers + layout.gateways + 2
  const notes: string[] = []
  if (!isIsolated) notes.push('no core is isolated: isolcpus= or a cpuset keeps others off them')
  if (free.length < wanted) {
    const have = `${free.length} cores can be given away, ${wanted} threads are on the way of an order`
    notes.push(`${have}: nothing is pinned, the kernel shares them out better`)
    return { pinning: {}, notes }
  }
  const pinned = roles.slice(0, free.length)
  if (pinned.length < roles.length) {
    notes.push(`not pinned: ${roles.slice(pinned.length).join(', ')}`)
  }
  return { pinning: Object.fromEntries(pinned.map((role, i) => [role, free[i]!])), notes }
}

/** Returns a sentence for each row that is wrong or has no effect. */
export function pinningFaults(
  pinning: Pinning,
  { cores, siblings }: Machine,
  layout: ThreadLayout,
): readonly string[] {
  const roles = [...rolesOf(layout), unpinnedRole]
  const rows = Object.entries(pinning)
  return rows.flatMap(([role, core], place) => {
    if (!roles.includes(role)) return [`${role}: no such thread with this configuration`]
    if (!cores.includes(core)) return [`${role}: there is no core ${core}, or it is not allowed`]
    return rows.slice(0, place).flatMap(([other, theirs]) => {
      if (theirs === core) return [`${role}: core ${core} is that of ${other}, too`]
      const isSame = siblings.get(core)?.includes(theirs) ?? false
      return isSame ? [`${role}: cores ${core} and ${theirs} (${other}) are one`] : []
    })
  })
}

/** Orders cores: isolated ones first; then one of each physical core before its siblings; core 0 last in each group. */
function coresByPreference({ cores, isolated, siblings }: Machine): readonly number[] {
  const rankOf = (core: number) => [
    isolated.includes(core) ? 0 : 1,
    Math.min(...(siblings.get(core) ?? [core])) === core ? 0 : 1,
    core === 0 ? 1 : 0,
    core,
  ]
  return cores.toSorted((one, other) => {
    const [a, b] = [rankOf(one), rankOf(other)]
    const place = a.findIndex((value, i) => value !== b[i])
    return place < 0 ? 0 : a[place]! - b[place]!
  })
}
