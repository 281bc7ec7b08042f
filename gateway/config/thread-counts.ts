import { availableParallelism } from 'node:os'

const gatewaysAutoMax = 8
const matchersAutoMax = 4
// Up to this number the core matches itself, because two thread hops cost more than matching.
const coresWithoutMatchers = 4
// Core, journal, read model and history need a core each before a second gateway does.
const otherCores = 3

/** Returns the gateway threads for this machine: the cores that the engine leaves, at least one. */
export function defaultGateways(cores = availableParallelism()): number {
  return Math.min(gatewaysAutoMax, Math.max(1, cores - otherCores - defaultMatchers(cores)))
}

/** Returns the matcher threads for this machine; 0: the core matches. */
export function defaultMatchers(cores = availableParallelism()): number {
  if (cores <= coresWithoutMatchers) return 0
  return Math.min(matchersAutoMax, Math.max(1, Math.floor(cores / 8)))
}
