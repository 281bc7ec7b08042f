import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { projectPath } from '../support/project.js'
import { eventually, Venue, type Wire } from './support/venue.js'

// Runs the programs of the guides against the venue of `npm start`, like a reader.

const guides = [
  'quick-start',
  'orders',
  'margin',
  'market-data',
  'quoting',
  'money-and-keys',
  'errors-and-limits',
]
const grantsPerMinute = '--set=faucet.grantsPerMinuteOnLoopback=1000' // each program takes one or two
const venue = new Venue({ arguments: ['--feed=simulated', '--maker=on', grantsPerMinute] })
const sources = projectPath('scripts/examples/guides')
const compiled = join(import.meta.dirname, '../../scripts/examples/guides')
const runMillisMax = 120_000
const programsAtOnce = 4

const packages = 'curl jq python3-ecdsa python3-pycryptodome python3-websockets'
const pythonModules = 'import ecdsa, websockets; from Cryptodome.Hash import keccak'
/** First interpreter that has the modules. Another one may come before Debian's in PATH. */
const python = ['/usr/bin/python3', 'python3'].find((name) => isRunning(name, '-c', pythonModules))
const hasTools =
  python !== undefined && isRunning('curl', '--version') && isRunning('jq', '--version')
// `.ci/run` installs the packages, and requires the programs to run.
const isRequired = process.env['STRIKEBOOK_NEEDS_PYTHON'] === '1'
const debianPath = `/usr/bin:${process.env['PATH']}` // for the `python3` of the shell programs
const path = python === '/usr/bin/python3' ? debianPath : process.env['PATH']
const env = { ...process.env, PATH: path, PYTHONDONTWRITEBYTECODE: '1' }
const skip = hasTools || isRequired ? false : `apt-get install --no-install-recommends ${packages}`

before(async () => {
  await venue.start()
  await eventually('offers', async () => {
    const { result } = await venue.read('/options-summary?currency=BTC')
    return result.some(({ ask_price: ask }: Wire) => ask > 0)
  })
})
after(() => venue.dispose())

test('each guide has a program in each language', () => {
  const programs = guides.flatMap((guide) => [`${guide}.py`, `${guide}.sh`, `${guide}.ts`])
  const found = readdirSync(sources).filter((name) => name !== '__pycache__')
  assert.deepEqual(found.sort(), [...programs, 'signer.py', 'venue.py', 'venue.sh'].sort())
})

describe('each program runs, and leaves no order open', { concurrency: programsAtOnce }, () => {
  for (const guide of guides) {
    test(`${guide}.ts`, () => runs(process.execPath, join(compiled, `${guide}.js`)))
    test(`${guide}.sh`, { skip }, () => runs('sh', join(sources, `${guide}.sh`)))
    test(`${guide}.py`, { skip }, () => runs(python ?? 'python3', join(sources, `${guide}.py`)))
  }
})

/** Runs a program, and checks its exit code and the open orders of the wallets that it names. */
async function runs(interpreter: string, program: string): Promise<void> {
  const tokenFile = join(venue.dataDir, 'operator.token')
  const parts = [program, venue.url, venue.operatorUrl, tokenFile]
  const said = await new Promise<string>((resolve, reject) => {
    execFile(interpreter, parts, { env, timeout: runMillisMax }, (error, out, err) => {
      if (error === null) resolve(out)
      else reject(new Error(`${error.signal ?? error.code}: ${out}${err}`))
    })
  })
  for (const [, wallet] of said.matchAll(/wallet (0x[0-9a-f]{40})/g)) {
    // The history may lag on a busy machine: 503 `not_ready`.
    await eventually(`no open order of ${wallet}`, async () => {
      const { status, body } = await venue.get(`/orders?wallet=${wallet}&status=open`)
      if (status === 200) assert.deepEqual(body.data, [], said)
      return status === 200
    })
  }
}

function isRunning(name: string, ...parts: readonly string[]): boolean {
  return spawnSync(name, parts).status === 0
}
