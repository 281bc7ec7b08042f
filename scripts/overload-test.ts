import { writeFileSync } from 'node:fs'
import { runOverload } from '../bench/load/overload.js'
import { above } from '../gateway/command-line/option-readers.js'
import { judge, loadCommand, say, withLoadVenue } from './load-script.js'

// `npm run soak -- overload --seconds 60` offers a venue three times its capacity.

const factor = 3
const goodputShareMin = 0.75
const calmSeconds = 5
const cancelMillisMax = 1000
const recoverySecondsMax = 1
const latencySlackMillis = 20
// All commands are signed before the run: signing is slower than the venue.
const signAhead = 4_000_000
const kneeSeconds = 3
const kneeRefinements = 2
const kneeP99Millis = 250
const firstRate = 2000
// Immediate-or-cancel orders leave the book unchanged, however many of them fail.
const mix = '5,5,0,90'

interface Options {
  readonly seconds: number
  readonly transport: string
  readonly connections: string
  readonly httpConnections: string
  readonly capacity?: number
  readonly csv?: string
  readonly json?: true
}

const command = loadCommand(
  'soak overload',
  'Finds the capacity of a fresh venue and offers it three times that.',
)
  .option('--seconds <count>', 'length of the overload', above(0), 60)
  .option('--transport <name>', 'http or stream', 'stream')
  .option('--connections <count>', 'stream connections for orders', '32')
  .option('--http-connections <count>', 'HTTP connections, for cancels', '256')
  .option('--capacity <commands>', 'commands per second (default: measured first)', above(0))
  .option('--csv <file>', 'a line per second')
  .option('--json', 'the claims as JSON on standard output')
  .parse()
const { seconds, transport, connections, httpConnections, capacity, csv, json } =
  command.opts<Options>()

// Short segments: the snapshot replica allocates its memory at the first finished segment, before the judged load.
const segmentBytes = 4 * 1024 * 1024
await withLoadVenue({ 'journal.segmentBytes': segmentBytes }, async (venue) => {
  const load = venue.loadOptions([
    `--transport=${transport}`,
    `--connections=${connections}`,
    `--http-connections=${httpConnections}`,
    `--mix=${mix}`,
    `--sign-ahead=${signAhead}`,
  ])
  const claims = await runOverload({
    load,
    seconds,
    ...(capacity === undefined ? {} : { capacityPerSecond: capacity }),
    kneeSeconds,
    kneeRefinements,
    kneeP99Millis,
    firstRate,
    factor,
    goodputShareMin,
    calmSeconds,
    cancelMillisMax,
    recoverySecondsMax,
    latencySlackMillis,
    onLine: say,
    onSeries: (text) => {
      if (csv !== undefined) writeFileSync(csv, text)
    },
  })
  for (const { claim, figure, isKept } of claims) judge(isKept, `${claim}: ${figure}`)
  if (json) process.stdout.write(`${JSON.stringify(claims, null, 2)}\n`)
})
