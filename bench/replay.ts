import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { NodeFiles } from '../engine/journal/node-files.js'
import { hashText } from '../engine/memory/state-hash.js'
import { BenchEngine, replayJournal } from './core-engine.js'
import { CoreFlow } from './core-flow.js'
import { type BenchResult, type Extra, ratioOf, spread } from './measure/bench-result.js'

export interface ReplayBenchOptions {
  /** Timed commands per run. The same number before them is not timed. */
  readonly commands: number
  readonly runs: number
  /** Parent of temporary folders for the journals. */
  readonly directory: string
}

const commandsPerChunk = 8192
const shape = { seed: 29, wallets: 250, underlyings: 4 }

/**
 * Compares the recovery of a journal with the live run that wrote it, on a seeded mix of orders of many wallets with margin
 * checks. The first half of the journal fills an empty engine and is not timed on either side: tables double then, as they
 * do once in the life of a venue, and cancels find no orders. Wallets and instruments are drawn uniformly, which is harder
 * on the caches than a real market. Both sides are the core's thread alone, with its matcher. The live run has no gateways,
 * signatures or journal thread. Recovery includes reading and checking the segments. Both must end with the same hash.
 */
export function runReplayBench(options: ReplayBenchOptions): BenchResult[] {
  const live: number[] = []
  const replay: number[] = []
  let extra: Extra = {}
  for (let run = 0; run <= options.runs; run++) {
    const root = mkdtempSync(join(options.directory, 'strikebook-replay-bench-'))
    try {
      const measured = runOnce(root, options.commands)
      extra = measured.extra
      // The first run is a warm-up for both.
      if (run === 0) continue
      live.push(measured.livePerSecond)
      replay.push(measured.replayPerSecond)
    } finally {
      rmSync(root, { recursive: true, force: true })
    }
  }
  const unit = 'thousand commands/s'
  return [
    { name: 'core.live', unit, ...spread(live), extra },
    { name: 'core.replay', unit, ...spread(replay), extra, threshold: { atLeast: 300 } },
    ratioOf({ name: 'core.replay / core.live', extra, threshold: { atLeast: 1 } }, replay, live),
  ]
}

interface Measured {
  readonly livePerSecond: number
  readonly replayPerSecond: number
  readonly extra: Extra
}

function runOnce(root: string, count: number): Measured {
  const files = new NodeFiles(join(root, 'journal'))
  const flow = new CoreFlow(new BenchEngine(files), shape)
  const { state } = flow.engine
  flow.open()
  runFlow(flow, count)
  const warmUpTo = state.batchNumber
  const [fills, refusals] = [flow.fillCount, flow.refusalCount]
  const liveNanos = runFlow(flow, count)
  flow.engine.journal.onClose()
  const replayed = replayJournal(files, state.sink.seq, warmUpTo)
  const hash = hashText(state.hash.low, state.hash.high)
  const replayedHash = hashText(replayed.state.hash.low, replayed.state.hash.high)
  if (hash !== replayedHash) throw new Error(`replay: hash ${replayedHash}, live ${hash}`)
  const share = (part: number) => Number((part / count).toFixed(2))
  const fillShare = share(flow.fillCount - fills)
  const refusalShare = share(flow.refusalCount - refusals)
  return {
    livePerSecond: (count / liveNanos) * 1e6,
    replayPerSecond: (count / replayed.nanos) * 1e6,
    extra: { commands: count, fillShare, refusalShare, hash },
  }
}

/** @returns nanoseconds of the core's duty. */
function runFlow(flow: CoreFlow, count: number): number {
  let nanos = 0
  for (let done = 0; done < count; done += commandsPerChunk) {
    flow.fill(Math.min(commandsPerChunk, count - done))
    nanos += flow.run()
  }
  return nanos
}
