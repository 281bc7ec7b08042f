import { basename } from 'node:path'

// `npm run example -- NAME` runs an example. They are listed in reading order. Arguments after the name go to the
// example: the two URLs of another venue, and the file with its operator token.

/** File in `examples/`, and its subject. */
const examples: readonly (readonly [file: string, about: string])[] = [
  ['guides/quick-start.js', 'funds from the faucet, a first order, its fill and its position'],
  ['guides/orders.js', 'resting, replaced, bulk, post-only, ioc and reduce-only orders'],
  ['guides/margin.js', 'margin of an order before it is placed, and of the portfolio after'],
  ['guides/market-data.js', 'a chain, a local book, and a stream that resumes'],
  ['guides/quoting.js', 'quotes under market-maker protection; a request for quote and its answer'],
  ['guides/money-and-keys.js', 'an agent, an API wallet and a withdrawal'],
  ['guides/errors-and-limits.js', 'failures, rejections, lost answers and rate limits'],
  ['provider.js', 'a quote provider that answers requests until it is stopped'],
  ['own-market.js', 'an index and a surface of one’s own, as the operator'],
  ['load-gate.js', 'a load with thresholds, as a CI gate'],
  ['new-instrument.js', 'a new strike in a running market'],
  ['strategy.js', 'a strategy in virtual time, in its own venue'],
]
const exitUsage = 2

const [wanted] = process.argv.splice(2, 1)
const found = examples.find(
  ([file], index) => wanted === String(index + 1) || wanted === basename(file, '.js'),
)
if (found === undefined) {
  const lines = examples.map(
    ([file, about], index) => `${String(index + 1).padStart(3)} ${basename(file, '.js')}: ${about}`,
  )
  process.stderr.write(
    `npm run example -- NAME [URL OPERATOR-URL TOKEN-FILE]\n${lines.join('\n')}\n`,
  )
  process.exitCode = exitUsage
} else await import(`./examples/${found[0]}`)
