import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { getHeapStatistics } from 'node:v8'
import { NodeFiles } from '../engine/journal/node-files.js'
import { type FeeParameters, feeParametersDefault } from '../engine/risk/trading-fees.js'
import { engineConfigDefault } from '../engine/state/market/engine-config.js'
import { BenchEngine, beginCompetition } from './core-engine.js'
import { CoreFlow } from './core-flow.js'
import { type BenchResult, spread } from './measure/bench-result.js'

export interface CoreAllocationOptions {
  /** Commands before the measurement, for the compiler and for windows to fill, and within it. */
  readonly warmUp: number
  readonly commands: number
  /** Folder for the journal; a temporary one is made in it and removed. */
  readonly directory: string
  /** Left out: nobody pays any. */
  readonly fees?: FeeParameters
  /** Part of the orders that are of perps; left out: none. */
  readonly perps?: number
  /** Whether a competition runs. */
  readonly hasCompetition?: boolean
}

const commandsPerChunk = 2048
/** Two boxed doubles a command, where a call of this or that kind of it was not inlined. */
const bytesMax = 64
const shape = { seed: 29, wallets: 50, underlyings: 4 }

/**
 * Garbage of the core and its matcher: bytes by which the heap grows within a batch, per command;
 * the median of all batches without a collection and without a re-mark, for the compiler works on
 * the same heap. Typed arrays that grow lie outside of it; they are state, and `core.memory` has
 * them.
 */
export function runCoreAllocationBench(options: CoreAllocationOptions): BenchResult[] {
  const root = mkdtempSync(join(options.directory, 'strikebook-allocation-bench-'))
  try {
    const config = { ...engineConfigDefault, fees: options.fees ?? feeParametersDefault }
    const engine = new BenchEngine(new NodeFiles(join(root, 'journal')), config)
    const { hasCompetition = false, perps = 0 } = options
    const flow = new CoreFlow(engine, { ...shape, perps })
    flow.open()
    if (hasCompetition) beginCompetition(engine, flow.nowMillis)
    for (let i = 0; i < options.warmUp; i += commandsPerChunk) {
      flow.fill(commandsPerChunk)
      flow.run()
    }
    const bytes: number[] = []
    for (let i = 0; i < options.commands; i += commandsPerChunk) {
      flow.fill(commandsPerChunk)
      engine.commands.commit()
      while (engine.core.hasCommands()) {
        const grown = grownInBatch(engine, flow.nowMillis)
        if (grown >= 0) bytes.push(grown / engine.core.decidedCount)
      }
      flow.run()
    }
    engine.journal.onClose()
    const what = hasCompetition ? '.competition' : perps === 0 ? '' : '.perps'
    return [resultOf(`core.allocation${what}`, bytes)]
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

/** @returns bytes that the heap grew by, or -1 when a collection or a re-mark came in between. */
function grownInBatch(engine: BenchEngine, nowMillis: number): number {
  const { core } = engine
  const markedBefore = markedMillis(engine)
  // The statistics are an object themselves.
  const first = getHeapStatistics().used_heap_size
  const before = getHeapStatistics().used_heap_size
  core.doWork(nowMillis)
  const after = getHeapStatistics().used_heap_size
  engine.journal.doWork()
  const isDisturbed = markedMillis(engine) !== markedBefore || before < first || after < before
  return isDisturbed ? -1 : Math.max(0, after - before - (before - first))
}

function markedMillis(engine: BenchEngine): number {
  const { lastMarkedMillis } = engine.state.marks
  let sum = 0
  for (let u = 0; u < shape.underlyings; u++) sum += lastMarkedMillis[u]
  return sum
}

function resultOf(name: string, bytes: readonly number[]): BenchResult {
  const { value, range } = spread(bytes)
  return {
    name,
    unit: 'bytes/command',
    value,
    range,
    extra: { about: 'heap of core and matcher', batches: bytes.length },
    threshold: { atMost: bytesMax },
  }
}
