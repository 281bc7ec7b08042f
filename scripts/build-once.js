import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, statSync, utimesSync } from 'node:fs'
import { dirname, join } from 'node:path'

const root = dirname(import.meta.dirname)
/** Written by every build of something that has changed. */
const stamp = join(root, 'dist/.tsbuildinfo')
const sources = ['bench', 'engine', 'gateway', 'schemas', 'scripts', 'package.json']

/** Makes a build of a checkout that has none yet, or has changed since, as `npm start` does. */
export function buildOnce() {
  if (!isBuilt()) build()
}

function isBuilt() {
  if (!existsSync(join(root, 'tsconfig.json'))) return true // installed as a package, which comes built
  if (!existsSync(stamp)) return false
  const builtMillis = statSync(stamp).mtimeMs
  return sources.flatMap(filesOf).every((file) => statSync(file).mtimeMs <= builtMillis)
}

function filesOf(name) {
  const path = join(root, name)
  if (!statSync(path).isDirectory()) return [path]
  const files = readdirSync(path, { recursive: true }).filter((file) => /\.(tsx?|css)$/.test(file))
  return files.map((file) => join(path, file))
}

function build() {
  process.stderr.write('strikebook: building first, which takes about half a minute\n')
  const stdio = ['ignore', 'ignore', 'inherit']
  const { status } = spawnSync('npm', ['run', '--silent', 'build'], { cwd: root, stdio })
  if (status !== 0) process.exit(1)
  const now = new Date()
  utimesSync(stamp, now, now)
}
