import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { sharedEntry } from './shared-tests.js'
import { timesHook, timesText } from './test-times.js'

// Runs the compiled tests, or those that the arguments name: `npm test -- journal engine/matching/book`. An argument that is
// a whole path without its extension names that file alone. Any other argument names all files whose paths contain it.
// `node --test <folder>` of Node 20 would run every file below a folder named `test` as a test, including support files
// and worker entries. `--root` names another folder of tests.
// Files that start venues or builds as processes run only with `--all`, or if an argument names them. Long tests
// (`*.long.test.js`, and each `longTest`) run only with `--long`, which implies `--all`, or if an argument contains `.long`.

/**
 * Files that need their own process: they measure their own time or memory, or change process-wide state. The others share
 * a few processes, because starting a process and its imports is half of a file's cost.
 */
const ownProcess =
  /^bench\/((?!load).*|load\/(load-series|open-loop))|^scripts\/run-tests|(flush-watch|history-schema|liquidation-cost|matcher-allocation|touched)\.test/

/** Files whose venues mostly wait. Half of the processes begin with these, the other half with the rest. */
const venueFolders = /^e2e\//

/** Files that start venues or builds as processes. They take most of the time of a run of all tests. */
const processFiles =
  /^(e2e|scripts\/client-package)\/|^bench\/load\/load\.|^gateway\/(testing|start-fault|rail\/lost-record|maker\/maker-wallet)\.|^scripts\/(run-tests|build-once|command\/(run-command|replay|inspect|backup|restore))\./

/** Test files that start no thread and no process of a venue. */
const unbundled = /^(schemas|engine\/(?!threads))\//

/** Longest run of a process. The runner kills a longer one, which hangs where its own timers do not run. */
const processMillisMax = 3_600_000

const { values, positionals: wanted } = parseArgs({
  options: {
    root: { type: 'string', default: join(import.meta.dirname, '../test') },
    times: { type: 'boolean', default: false },
    all: { type: 'boolean', default: false },
    long: { type: 'boolean', default: false },
    // Bundles the entry files of threads and processes first, if one of these tests may start one.
    bundle: { type: 'boolean', default: false },
    // Three more than Node's default: most of these files wait for a process, a socket or a disk.
    processes: { type: 'string', default: String(availableParallelism() + 2) },
  },
  allowPositionals: true,
})
const processes = Number(values.processes)
const root = resolve(values.root)
const isLongRun = values.long || wanted.some((part) => part.includes('.long'))
const names = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.test.js'))
  .filter((name) => isLongRun || !name.endsWith('.long.test.js'))
const isAll = values.all || values.long
const chosen = names.filter((name) =>
  wanted.length === 0 ? isAll || !processFiles.test(name) : wanted.some(isNamed(name)),
)
const files = chosen.map((name) => join(root, name)).sort()

if (files.length === 0) {
  process.stderr.write('no test matches\n')
  process.exit(2)
}
if (values.bundle && !chosen.every((name) => unbundled.test(name))) await import('./bundle.js')
process.exitCode = runTests(files)

function isNamed(name: string): (part: string) => boolean {
  return (part) =>
    names.includes(`${part}.test.js`) ? name === `${part}.test.js` : name.includes(part)
}

/** Runs test files, and repeats all failures at the end. @returns the exit code */
function runTests(files: readonly string[]): number {
  const folder = mkdtempSync(join(tmpdir(), 'strikebook-tests-'))
  const entries = entriesOf(files, folder)
  const failuresFile = join(folder, 'failures.txt')
  const flags = [
    `--test-reporter=${process.stdout.isTTY ? 'spec' : 'tap'}`,
    '--test-reporter-destination=stdout',
    `--test-reporter=${new URL('./failure-reporter.js', import.meta.url)}`,
    `--test-reporter-destination=${failuresFile}`,
    `--test-concurrency=${processes}`,
    `--test-timeout=${processMillisMax}`,
  ]
  if (values.times) flags.push(`--import=${timesHook(folder, root)}`)
  const env = { ...process.env, LONG_TESTS: isLongRun ? '1' : '0' }
  const args = ['--test', ...flags, ...entries]
  const run = spawnSync(process.execPath, args, { stdio: 'inherit', env })
  if (existsSync(failuresFile)) process.stdout.write(readFileSync(failuresFile))
  if (values.times) process.stdout.write(timesText(folder))
  if (run.status === null) process.stdout.write(`the test runner ended by ${run.signal}\n`)
  rmSync(folder, { recursive: true })
  return run.status ?? 1
}

/**
 * Returns the runner's arguments: the files with their own process, and entries that share the rest. An entry prefers one
 * kind of file: then fewer processes load the modules of that kind, and some compute while others wait.
 */
function entriesOf(files: readonly string[], folder: string): string[] {
  const alone = files.filter((file) => ownProcess.test(relative(root, file)))
  const others = files.filter((file) => !alone.includes(file))
  const isOfVenues = (file: string) => venueFolders.test(relative(root, file))
  const shared = [...others.filter(isOfVenues), ...others.filter((file) => !isOfVenues(file))]
  const parts = { files: shared, root, marks: folder, isTimed: values.times }
  const entries = Array.from({ length: Math.min(processes, shared.length) }, (_, index) => {
    const entry = join(folder, `shared-${index}.test.mjs`)
    writeFileSync(entry, sharedEntry({ ...parts, isBackwards: index % 2 === 1 }))
    return entry
  })
  return [...entries, ...alone]
}
