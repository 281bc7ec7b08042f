import { isSlowConsumerEnd, runSlowConsumers } from '../bench/load/slow-consumer.js'
import { rangeText, spread } from '../bench/measure/bench-result.js'
import { above } from '../gateway/command-line/option-readers.js'
import { judge, loadCommand, say, withLoadVenue } from './load-script.js'

// `npm run soak -- slow-consumer` checks that the venue closes stalled readers, and that they do not slow down the others.

const ratioMax = 1.5
const stalledReaders = 4
// Deep books make long messages, so the kernel's buffer of a stalled reader fills within seconds.
const openOrders = 3000

const command = loadCommand(
  'soak slow-consumer',
  'Loads a fresh venue in turns, without and with stalled readers.',
)
  .option('--rate <commands>', 'commands per second', above(0), 400)
  .option(
    '--seconds <count>',
    'length of a round; the venue closes a stalled reader after 5 to 10 seconds',
    above(0),
    12,
  )
  .option('--rounds <count>', 'pairs of rounds', above(0), 3)
  .parse()
const { rate, seconds, rounds } = command.opts<Record<string, number>>()

await withLoadVenue({}, async (venue) => {
  const result = await runSlowConsumers({
    load: venue.loadOptions([`--open-orders=${openOrders}`]),
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
    judge(
      value <= ratioMax,
      `${name}: ${value} times the value without stalled readers (${rangeText({ range })})`,
    )
  }
  const wrong = result.ends.filter((end) => !isSlowConsumerEnd(end))
  judge(wrong.length === 0, `closed as specified: ${result.ends[0]}`)
  for (const end of wrong) say(`instead: ${end}`)
  if (result.lostReader !== null) {
    judge(false, `the venue closed the reader that keeps up: ${result.lostReader.reason}`)
  }
  if (!result.isReconciled) process.exitCode = 1
})
