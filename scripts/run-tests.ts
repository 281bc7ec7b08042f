import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'

// Runs the compiled tests, or those whose path holds one of the arguments: `npm test -- journal book`.
// `node --test <folder>` of Node 20 would take every file below a folder named `test` for a test, the
// support files and worker entries too.

const root = join(import.meta.dirname, '../test')
const wanted = process.argv.slice(2)
const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.test.js'))
  .filter((file) => wanted.length === 0 || wanted.some((part) => file.includes(part)))
  .map((file) => join(root, file))
  .sort()

if (files.length === 0) {
  process.stderr.write('no test matches\n')
  process.exit(2)
}
const reporter = process.stdout.isTTY ? 'spec' : 'tap'
// Node's own choice is one core less; most of these files wait for a process, a socket or a disk.
const concurrency = Math.max(2, availableParallelism())
const flags = [`--test-reporter=${reporter}`, `--test-concurrency=${concurrency}`]
const run = spawnSync(process.execPath, ['--test', ...flags, ...files], { stdio: 'inherit' })
process.exit(run.status ?? 1)
