import { compile, quoted, runSteps } from './steps.js'

// `npm test` runs the check, the build, and the tests that start no process; with `--all`, every test. With words, as in
// `npm test -- engine/matching/book`, it compiles and runs only the tests that the words name. It then bundles only if
// these tests need bundles.

const args = process.argv.slice(2)
const isWhole = args.every((arg) => arg.startsWith('--'))
const before = isWhole ? ['npm run --silent check', 'npm run --silent build'] : [compile]
const flags = isWhole ? args : ['--bundle', ...args]
runSteps(...before, ['node dist/scripts/run-tests.js', ...flags.map(quoted)].join(' '))
