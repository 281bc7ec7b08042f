// `npm run example -- NAME`: the examples, in the order in which to read them. Whatever stands behind the name is the
// example's own: another venue's two addresses, and the file with its operator token.

/** File beside `examples/`, and what it shows. */
const examples: readonly (readonly [file: string, about: string])[] = [
  ['look.js', 'a look at the market'],
  ['first-order.js', 'money of the faucet, a first order and its fill'],
  ['local-book.js', 'the stream, and a book that is kept by it'],
  ['quotes.js', 'quotes on both sides under market-maker protection'],
  ['agent.js', 'a key that trades for a wallet'],
  ['taker.js', 'a call spread by requests for quote'],
  ['provider.js', 'one of those who answer them'],
  ['own-market.js', 'an index and a surface of one’s own, as the operator'],
  ['load-gate.js', 'a load with a threshold, as a gate of CI'],
  ['new-instrument.js', 'a new strike in a market that lives'],
  ['strategy.js', 'a strategy in virtual time, in a venue of its own'],
]
const exitUsage = 2

const [wanted] = process.argv.splice(2, 1)
const found = examples.find(
  ([file], index) => wanted === String(index + 1) || wanted === file.replace('.js', ''),
)
if (found === undefined) {
  const lines = examples.map(
    ([file, about], index) =>
      `${String(index + 1).padStart(3)} ${file.replace('.js', '')}: ${about}`,
  )
  process.stderr.write(
    `npm run example -- NAME [URL OPERATOR-URL TOKEN-FILE]\n${lines.join('\n')}\n`,
  )
  process.exitCode = exitUsage
} else await import(`./examples/${found[0]}`)
