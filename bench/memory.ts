import type { BenchResult } from './measure/bench-result.js'
import { type ReadModelMemoryOptions, runReadModelMemoryBench } from './read-model-memory.js'
import { runVenueMemoryBench, type VenueMemoryOptions } from './venue-memory.js'

/** Measures the memory of a whole venue with thousands of instruments, and of the read model per resting order. */
export async function runMemoryBench(
  options: VenueMemoryOptions & ReadModelMemoryOptions,
): Promise<BenchResult[]> {
  return [...(await runVenueMemoryBench(options)), ...runReadModelMemoryBench(options)]
}
