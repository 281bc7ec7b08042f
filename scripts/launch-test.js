import { compile, quoted, runSteps } from './steps.js'

// What `npm test` runs. Without words: the check, the build and all tests. With words, as in `npm test -- engine/matching/book`:
// the tests that they name, without the check; and the bundles only if these tests need them.

const args = process.argv.slice(2)
const isWhole = args.every((arg) => arg.startsWith('--'))
const before = isWhole ? ['npm run --silent check', 'npm run --silent build'] : [compile]
const flags = isWhole ? args : ['--bundle', ...args]
runSteps(...before, ['node dist/scripts/run-tests.js', ...flags.map(quoted)].join(' '))
