import { Command } from 'commander'
import { spread } from '../bench/bench-result.js'
import { above, readLoadOptions } from '../bench/load/load-options.js'
import { isSlowConsumerEnd, runSlowConsumers } from '../bench/load/slow-consumer.js'
import { LoadVenue } from './load-venue.js'

// `npm run test:slow-consumer`: whether readers that stand still are let go, and leave the others
// alone while they are there.

const ratioMax = 1.5
const stalledReaders = 4
// Deep books make long messages: what the kernel buffers for a reader is full within seconds.
const openOrders = 3000

const command = new Command('test:slow-consumer')
  .description('Loads a fresh venue by turns without and with readers that stand still.')
  .option('--rate <commands>', 'commands per second', above(0), 400)
  .option(
    '--seconds <count>',
    'length of a round; a stalled reader is let go after 5 to 10',
    above(0),
    12,
  )
  .option('--rounds <count>', 'pairs of rounds', above(0), 3)
  .allowExcessArguments(false)
  .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))
  .parse()
const { rate, seconds, rounds } = command.opts<Record<string, number>>()

const say = (line: string) => process.stderr.write(`${line}\n`)
const venue = new LoadVenue()
try {
  await venue.start()
  const address = [`--url=${venue.url}`, `--operator-url=${venue.operatorUrl}`]
  const shape = [`--operator-token=${venue.token}`, `--open-orders=${openOrders}`]
  const result = await runSlowConsumers({
    load: readLoadOptions([...address, ...shape], {}),
    ratePerSecond: rate,
    seconds,
    rounds,
    stalledReaders,
    onLine: say,
  })
  const rows = [
    ['p99 of acknowledgements', result.acknowledgementRatios],
    ['p99 of deliveries', result.deliveryRatios],
  ] as const
  for (const [name, ratios] of rows) {
    const { value, range } = spread(ratios)
    const isKept = value <= ratioMax
    say(`${isKept ? 'kept  ' : 'BROKEN'} ${name}: ${value} of that without them (${range})`)
    if (!isKept) process.exitCode = 1
  }
  const wrong = result.ends.filter((end) => !isSlowConsumerEnd(end))
  say(`${wrong.length === 0 ? 'kept  ' : 'BROKEN'} closed as specified: ${result.ends[0]}`)
  for (const end of wrong) say(`instead: ${end}`)
  if (result.lostReader !== null) say(`BROKEN the reader that reads: ${result.lostReader.reason}`)
  const isSound = wrong.length === 0 && result.lostReader === null && result.isReconciled
  if (!isSound) process.exitCode = 1
} finally {
  await venue.dispose()
}
