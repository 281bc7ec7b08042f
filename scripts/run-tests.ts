import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'

// Runs the compiled tests, or those whose path holds one of the arguments: `npm test -- journal book`.
// `node --test <folder>` of Node 20 would take every file below a folder named `test` for a test, the
// support files and worker entries too. `--root` names another folder of tests.

/**
 * Rooms whose tests use nothing but their own memory and a folder: the files of one folder share a process, since half
 * of what such a file costs is the process and its imports. All others have one each.
 */
const sharedRooms =
  /^(schemas|engine\/(core|lifecycle|matching|memory|pricing|risk)|gateway\/(auth|commands|limits|read-model))$/

/** A file that takes longer hangs: it is ended and named, so that the run says more than nothing. */
const fileMillisMax = 300_000

const { values, positionals: wanted } = parseArgs({
  options: { root: { type: 'string', default: join(import.meta.dirname, '../test') } },
  allowPositionals: true,
})
const root = resolve(values.root)
const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.test.js'))
  .filter((file) => wanted.length === 0 || wanted.some((part) => file.includes(part)))
  .map((file) => join(root, file))
  .sort()

if (files.length === 0) {
  process.stderr.write('no test matches\n')
  process.exit(2)
}
process.exitCode = runTests(files)

/** Runs test files, and says at the very end once more what failed. @returns the exit code */
function runTests(files: readonly string[]): number {
  const folder = mkdtempSync(join(tmpdir(), 'strikebook-tests-'))
  const entries = entriesOf(files, folder)
  const failuresFile = join(folder, 'failures.txt')
  const flags = [
    `--test-reporter=${process.stdout.isTTY ? 'spec' : 'tap'}`,
    '--test-reporter-destination=stdout',
    `--test-reporter=${new URL('./failure-reporter.js', import.meta.url)}`,
    `--test-reporter-destination=${failuresFile}`,
    // Node's own choice is two less; most of these files wait for a process, a socket or a disk.
    `--test-concurrency=${availableParallelism() + 1}`,
    `--test-timeout=${fileMillisMax}`,
  ]
  const run = spawnSync(process.execPath, ['--test', ...flags, ...entries], { stdio: 'inherit' })
  if (existsSync(failuresFile)) process.stdout.write(readFileSync(failuresFile))
  if (run.status === null) process.stdout.write(`the test runner ended by ${run.signal}\n`)
  rmSync(folder, { recursive: true })
  return run.status ?? 1
}

/** What the runner is given: the files themselves, or one that imports all those of a shared room. */
function entriesOf(files: readonly string[], folder: string): string[] {
  const rooms = new Map<string, string[]>()
  for (const file of files) {
    const room = dirname(file).slice(root.length + 1)
    const key = sharedRooms.test(room) ? room : file
    rooms.set(key, [...(rooms.get(key) ?? []), file])
  }
  return [...rooms].map(([room, members]) => {
    if (members.length === 1) return members[0]!
    const entry = join(folder, `${room.replaceAll('/', '-')}.test.mjs`)
    writeFileSync(entry, members.map((file) => `import '${pathToFileURL(file)}'\n`).join(''))
    return entry
  })
}
