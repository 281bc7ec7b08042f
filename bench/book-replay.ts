import { Command, InvalidArgumentError } from 'commander'
import { readReplayFile } from './book-replay/replay-file.js'
import { flowOf } from './book-replay/replay-flow.js'
import { type ReplayRun, ThreadedReplay } from './book-replay/threaded-replay.js'
import { spread } from './measure/bench-result.js'

// `node dist/bench/book-replay.js FILE --json` replays one file of the order-book yardstick through the matchers' book.
// Reports go through a ring to a second thread.

const failed = 1
const usage = 2
const repeatsDefault = 7
const warmUpsDefault = 5
const note = (line: string) => process.stderr.write(`${line}\n`)

interface ReplayOptions {
  readonly json?: true
  readonly repeats: number
  readonly warmUps: number
}

const command = new Command('book-replay')
  .description('Replays a file of the order-book yardstick, and hashes what the book reports.')
  .argument('<file>', 'brotli-compressed messages')
  .option('--json', 'print {messages, trades, seconds, million_per_second, sha256} on stdout')
  .option('--repeats <count>', 'measured runs; their median is printed', atLeastOne, repeatsDefault)
  .option('--warm-ups <count>', 'runs before them, not measured', atLeastZero, warmUpsDefault)
  .addHelpText('after', '\nExample:\n  node dist/bench/book-replay.js book-static.br --json')
  .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : usage))
  .parse()

try {
  await replay(command.args[0], command.opts<ReplayOptions>())
} catch (error) {
  note(`book-replay: ${error instanceof Error ? error.message : String(error)}`)
  process.exitCode = failed
}

async function replay(path: string, { json, repeats, warmUps }: ReplayOptions): Promise<void> {
  const flow = flowOf(readReplayFile(path))
  const replay = await ThreadedReplay.start(path, flow)
  const runs: ReplayRun[] = []
  try {
    for (let run = 0; run < warmUps + repeats; run++) runs.push(await replay.run())
  } finally {
    await replay.close()
  }
  const [{ trades, sha256 }] = runs
  if (runs.some((run) => run.sha256 !== sha256)) throw new Error('runs reported different things')
  const messages = flow.file.count
  const measured = runs.slice(warmUps).map((run) => run.seconds)
  const seconds = spread(measured).value
  const result = {
    messages,
    trades,
    seconds,
    million_per_second: rateOf(messages, seconds),
    sha256,
  }
  const rates = measured.map((runSeconds) => rateOf(messages, runSeconds))
  note(`${warmUps} runs to warm up, then the median of ${repeats}`)
  note(`million messages a second in each: ${rates.join(' ')}`)
  const words = Object.entries(result).map(([name, value]) => `${name} ${value}`)
  process.stdout.write(`${json ? JSON.stringify(result) : words.join('\n')}\n`)
}

function rateOf(messages: number, seconds: number): number {
  return Number((messages / seconds / 1e6).toPrecision(4))
}

function atLeastOne(text: string): number {
  const count = atLeastZero(text)
  if (count === 0) throw new InvalidArgumentError('at least 1')
  return count
}

function atLeastZero(text: string): number {
  if (!/^\d{1,4}$/.test(text)) throw new InvalidArgumentError('a count of at most 9999')
  return Number(text)
}
