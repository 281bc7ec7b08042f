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
  /** Commands before the measurement, which compile the code and fill all windows, and during it. */
  readonly warmUp: number
  readonly commands: number
  /** Parent of a temporary folder for the journal. */
  readonly directory: string
  /** Undefined: no fees. */
  readonly fees?: FeeParameters
  /** Share of perp orders, from 0 to 1; undefined: none. */
  readonly perps?: number
  /** True to run a competition. */
  readonly hasCompetition?: boolean
}

const commandsPerChunk = 2048
/** Allows for two boxed doubles per command, if a call was not inlined. */
const bytesMax = 64
const shape = { seed: 29, wallets: 50, underlyings: 4 }

/**
 * Measures the garbage of the core and its matcher: the heap growth within a batch, per command. Batches with a
 * collection or a re-mark do not count. The compiler uses the same heap, so the figure is a median. Typed arrays grow
 * outside the heap; they are state, and `core.memory` measures them.
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

/** Returns the heap growth in bytes; -1 if the batch had a collection or a re-mark. */
function grownInBatch(engine: BenchEngine, nowMillis: number): number {
  const { core } = engine
  const markedBefore = markedMillis(engine)
  // The statistics object itself is allocated on the heap.
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
