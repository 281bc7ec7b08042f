import { compile, quoted, runSteps } from './steps.js'

// `npm run generate` runs all generators that need only the sources, and compiles before each, since one may read the output
// of another. With a word it runs one generator that needs more.

const plain = [
  'dist/scripts/generate-schemas.js',
  'dist/scripts/generate-client.js',
  'dist/scripts/deploy/generate-monitoring.js',
]
const special = {
  examples: 'dist/scripts/record-examples.js', // runs end-to-end tests
  binaries: 'dist/scripts/pin-binaries.js', // fetches packages
  folders: 'dist/scripts/make-folder-fixture.js', // once for each release
}
const build = 'npm run --silent build'
const [word, ...args] = process.argv.slice(2)

if (word === undefined) {
  runSteps(...plain.flatMap((file) => [compile, `node ${file}`]), build)
} else if (Object.hasOwn(special, word)) {
  const run = [`node ${special[word]}`, ...args.map(quoted)].join(' ')
  runSteps(build, run, build)
} else {
  process.stderr.write(`generate has no ${word}: ${Object.keys(special).join(', ')}, or no word\n`)
  process.exitCode = 2
}
