import { writeFileSync } from 'node:fs'
import { runLoad } from '../bench/load/load.js'
import { phasesAt } from '../bench/load/load-options.js'
import { reportLines } from '../bench/load/load-report.js'
import { openLoadSession } from '../bench/load/load-session.js'
import { judgeMemory } from '../bench/load/memory-growth.js'
import { above } from '../gateway/command-line/option-readers.js'
import { loadCommand, say, withLoadVenue } from './load-script.js'

// `npm run soak -- memory --seconds 600 --rate 1500` keeps a steady number of open orders for a long time. The venue keeps
// nonces and results of each wallet up to a bound. A few wallets with a small bound reach it within the warm-up, and the run
// measures growth after that. The venue allocates its memory for ended orders at the start.

const wallets = 2
const openOrders = 2000
const noncesKept = 16_384
// Short segments: the first snapshots, and their memory, fall into the warm-up, and many more follow.
const segmentBytes = 4 * 1024 * 1024

interface Options {
  readonly seconds: number
  readonly rate: number
  readonly warmUp: number
  readonly csv?: string
}

const command = loadCommand(
  'soak memory',
  'Holds a load and a number of open orders, and checks that memory does not grow.',
)
  .option('--seconds <count>', 'length of the run', above(0), 600)
  .option(
    '--rate <commands>',
    "commands per second: about half of the machine's capacity",
    above(0),
    1500,
  )
  .option(
    '--warm-up <seconds>',
    'time that is not judged, until every bound is reached',
    above(-1),
    240,
  )
  .option('--csv <file>', 'a line per second')
  .parse()
const { seconds, rate, warmUp, csv } = command.opts<Options>()

const settings = { 'journal.segmentBytes': segmentBytes, 'limits.noncesKept': noncesKept }
await withLoadVenue(settings, async (venue) => {
  const load = venue.loadOptions([`--wallets=${wallets}`, `--open-orders=${openOrders}`])
  const session = await openLoadSession(load)
  const phases = phasesAt(rate, seconds, openOrders)
  const { run, report } = await runLoad(session, { ...load, phases }, say)
  for (const line of reportLines(report)) say(line)
  if (csv !== undefined) writeFileSync(csv, run.series.csvText())
  const growth = judgeMemory(run.series.seconds, warmUp, seconds)
  for (const line of growth.lines) say(line)
  if (!growth.isFlat || !report.isReconciled) process.exitCode = 1
})
