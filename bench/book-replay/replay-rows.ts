import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { type BenchResult, ratioOf, spread } from '../measure/bench-result.js'
import { timeByTurns } from '../measure/timed-task.js'
import { KeptReplay } from './kept-replay.js'
import { encodeReplayFile, readReplayFile } from './replay-file.js'
import { flowOf } from './replay-flow.js'
import { sampleFile } from './replay-sample.js'
import { type ReplayRun, ThreadedReplay } from './threaded-replay.js'

export interface ReplayBenchOptions {
  /** Folder with files of the yardstick. If it does not exist, a sample is generated. */
  readonly files: string
  /** Messages of the sample. */
  readonly messages: number
  readonly repeats: number
  readonly warmUps: number
}

const sample = { seed: 23, tickLeast: 30_000, tickSpread: 4_000 }
const unit = 'million messages/s'

/**
 * Replays the files of the order-book yardstick through the book: with reports sent to a second thread, with reports kept,
 * and through the bare loop. All runs of a file must report the same.
 */
export async function runBookReplayBench(options: ReplayBenchOptions): Promise<BenchResult[]> {
  const folder = mkdtempSync(join(tmpdir(), 'book-replay-'))
  try {
    const rows: BenchResult[] = []
    for (const path of pathsOf(options, folder)) rows.push(...(await replayRows(path, options)))
    return rows
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function pathsOf({ files, messages }: ReplayBenchOptions, folder: string): string[] {
  if (existsSync(files)) {
    const names = readdirSync(files).filter((name) => name.endsWith('.br'))
    return names.sort().map((name) => join(files, name))
  }
  const path = join(folder, 'sample.br')
  writeFileSync(path, encodeReplayFile(sampleFile({ ...sample, messages })))
  return [path]
}

async function replayRows(path: string, options: ReplayBenchOptions): Promise<BenchResult[]> {
  const { repeats, warmUps } = options
  const flow = flowOf(readReplayFile(path))
  const threaded: ReplayRun[] = []
  const replay = await ThreadedReplay.start(path, flow)
  for (let run = 0; run < warmUps + repeats; run++) threaded.push(await replay.run())
  await replay.close()
  const [{ reports, sha256 }] = threaded
  const kept = new KeptReplay(flow, reports)
  const tasks = [kept.bookTask(), kept.bareTask()]
  const millionsPerSecond = (seconds: number) => flow.file.count / seconds / 1e6
  const [book, bare] = timeByTurns(tasks, { warmUps, turns: repeats }).map((turns) =>
    turns.map((nanos) => millionsPerSecond(nanos / 1e9)),
  ) as [number[], number[]]
  const hashes = new Set([...kept.hashes, ...threaded.map((run) => run.sha256)])
  if (hashes.size > 1) throw new Error(`${path}: runs reported different things`)
  const second = threaded.slice(warmUps).map(({ seconds }) => millionsPerSecond(seconds))
  const name = basename(path, '.br')
  const extra = { messages: flow.file.count, warmUps, hash: sha256.slice(0, 16) }
  const row = (what: string, values: number[]) => ({
    name: `${name}.${what}`,
    unit,
    ...spread(values),
    extra,
  })
  return [
    { ...row('second-thread', second), threshold: { atLeast: 5 } },
    row('kept', book),
    row('bare-loop', bare),
    ratioOf({ name: `${name}.kept-of-bare-loop`, extra, threshold: { atLeast: 0.6 } }, book, bare),
  ]
}
