import { availableParallelism } from 'node:os'

const gatewaysAutoMax = 8
const matchersAutoMax = 4
// Up to here the core matches itself: two thread hops cost more than matching.
const coresWithoutMatchers = 4
// Core, journal, read model and history want a core each before a second gateway does.
const coresBesideGateways = 3

/** Gateway threads for this machine: what the engine's own threads leave, at least one. */
export function defaultGateways(cores = availableParallelism()): number {
  return Math.min(
    gatewaysAutoMax,
    Math.max(1, cores - coresBesideGateways - defaultMatchers(cores)),
  )
}

/** Matcher threads for this machine; 0: the core does their work. */
export function defaultMatchers(cores = availableParallelism()): number {
  if (cores <= coresWithoutMatchers) return 0
  return Math.min(matchersAutoMax, Math.max(1, Math.floor(cores / 8)))
}
