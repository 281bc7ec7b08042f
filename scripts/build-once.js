import { spawn } from 'node:child_process'
import { accessSync, constants, existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'

const root = dirname(import.meta.dirname)
/** Written last by every build. */
const stamp = join(root, 'dist/.built')
const sources = [
  ...['bench', 'engine', 'gateway', 'schemas', 'scripts'],
  ...['package.json', 'package-lock.json', 'tsconfig.json'],
]
const compiler = `@typescript/typescript-${process.platform}-${process.arch}`

/**
 * Builds a checkout that has no build or has changed since, and shows each step. Ends the process with one line if the
 * build is impossible.
 */
export async function buildOnce() {
  if (isBuilt()) return
  const fault = buildFault()
  if (fault !== null) end(fault)
  say('building first, which takes about half a minute')
  const beganMillis = performance.now()
  const steps = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).scripts.build.split(
    ' && ',
  )
  for (const [place, step] of steps.entries()) {
    const line = `step ${place + 1} of ${steps.length}: ${step}`
    if ((await runStep(step, line)) !== 0) end(`the build failed in ${line}`)
  }
  say(`built in ${secondsSince(beganMillis)} s`)
}

/** Runs a step of the build and returns its exit code. Its output goes to standard error: standard output is the caller's. */
function runStep(step, line) {
  const { stderr, env } = process
  const beganMillis = performance.now()
  const show = () => stderr.write(`\rstrikebook: ${line}, ${secondsSince(beganMillis)} s`)
  if (stderr.isTTY) show()
  else say(line)
  const timer = stderr.isTTY ? setInterval(show, 1000) : null
  const child = spawn(step, {
    cwd: root,
    env: { ...env, PATH: `${join(root, 'node_modules/.bin')}${delimiter}${env.PATH}` },
    shell: true,
    stdio: ['ignore', 2, 2],
  })
  return new Promise((resolve) => {
    child.on('error', () => resolve(1))
    child.on('close', (code) => {
      if (timer !== null) {
        clearInterval(timer)
        stderr.write('\n')
      }
      resolve(code)
    })
  })
}

function secondsSince(millis) {
  return Math.round((performance.now() - millis) / 1000)
}

function isBuilt() {
  if (!existsSync(join(root, 'tsconfig.json'))) return true // installed as a package, which comes built
  if (!existsSync(stamp)) return false
  const builtMillis = statSync(stamp).mtimeMs
  return sources.flatMap(filesOf).every((file) => statSync(file).mtimeMs <= builtMillis)
}

function filesOf(name) {
  const path = join(root, name)
  if (!existsSync(path)) return []
  if (!statSync(path).isDirectory()) return [path]
  const files = readdirSync(path, { recursive: true }).filter((file) =>
    /\.(tsx?|css)$|(^|\/)guides\/[\w-]+\.(md|sh|py)$/.test(file),
  )
  return files.map((file) => join(path, file))
}

/** Returns why this installation cannot build, or null. */
function buildFault() {
  const isThere = (name) => existsSync(join(root, 'node_modules', name))
  if (!isThere('.')) return 'no packages are installed: run npm ci'
  if (!isThere('typescript')) {
    return 'the build needs the development packages, which NODE_ENV=production and --omit=dev leave out: run npm ci --include=dev'
  }
  if (!isThere(compiler)) {
    return `the build needs ${compiler}, which --omit=optional leaves out: run npm ci --include=optional`
  }
  const target = [stamp, dirname(stamp), root].find((path) => existsSync(path))
  try {
    accessSync(target, constants.W_OK)
    return null
  } catch (error) {
    return `the build cannot write ${target} (${error.code}): run npm run build as the owner of ${root} first`
  }
}

function end(line) {
  say(line)
  process.exit(1)
}

function say(line) {
  try {
    process.stderr.write(`strikebook: ${line}\n`)
  } catch {
    // The build continues without standard error.
  }
}
