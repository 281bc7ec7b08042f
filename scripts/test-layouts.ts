import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

// `npm run test:layouts` runs the end-to-end suite in every thread layout, or in those whose name contains one of the
// arguments, as in `npm run test:layouts -- "2 gateways, 0 matchers"`. Environment variables pass the layout to the venue
// processes.

const runTestsFile = join(import.meta.dirname, 'run-tests.js')
const endToEndTests = 'e2e'
const wanted = process.argv.slice(2)

const layouts = [1, 2].flatMap((gateways) =>
  [0, 1, 2].map((matchers) => layoutOf(gateways, matchers, 'park')),
)
// The idle strategy is independent of the number of threads, and a spinning thread occupies a core.
layouts.push(layoutOf(1, 0, 'yield'), layoutOf(1, 0, 'spin'))

const chosen = layouts.filter(
  ({ name }) => wanted.length === 0 || wanted.some((part) => name.includes(part)),
)
if (chosen.length === 0) {
  process.stderr.write(
    `no layout matches; there are:\n${layouts.map(({ name }) => name).join('\n')}\n`,
  )
  process.exit(2)
}
const failed = chosen.filter(({ name, environment }) => {
  process.stderr.write(`layout ${name}\n`)
  const env = { ...process.env, ...environment }
  const run = spawnSync(process.execPath, [runTestsFile, endToEndTests], { stdio: 'inherit', env })
  return run.status !== 0
})
for (const { name } of failed) process.stderr.write(`failed: ${name}\n`)
process.exit(failed.length === 0 ? 0 : 1)

function layoutOf(gateways: number, matchers: number, idle: string) {
  const environment = {
    STRIKEBOOK_GATEWAYS: String(gateways),
    STRIKEBOOK_MATCHERS: String(matchers),
    STRIKEBOOK_IDLE: idle,
  }
  return { name: `${gateways} gateways, ${matchers} matchers, ${idle}`, environment }
}
