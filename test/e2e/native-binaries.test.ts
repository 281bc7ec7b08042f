import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { appendFileSync, cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { projectPath } from '../support/project.js'
import { Venue } from './support/venue.js'

const folder = mkdtempSync(join(tmpdir(), 'strikebook-changed-'))
after(() => rmSync(folder, { recursive: true, force: true }))

// The package's own variable makes it load its binary from elsewhere, as anyone who may set a variable could.
const elsewhere = join(folder, 'node_modules/secp256k1')
const source = projectPath('node_modules/secp256k1/prebuilds')
const platform = `${process.platform}-${process.arch}`
const skip = existsSync(join(source, platform)) ? false : `no pinned binary for ${platform}`
const environment = { SECP256K1_PREBUILD: elsewhere }

/**
 * Changes the binaries after their end, so that they would still load and work.
 * @returns their hashes
 */
function changeBinaries(): readonly string[] {
  cpSync(source, join(elsewhere, 'prebuilds'), { recursive: true })
  const libc = ['secp256k1.glibc.node', 'secp256k1.musl.node', 'secp256k1.node']
  const paths = libc.map((name) => join(elsewhere, 'prebuilds', platform, name))
  return paths.filter(existsSync).map((path) => {
    appendFileSync(path, 'changed')
    return createHash('sha256').update(readFileSync(path)).digest('hex')
  })
}

test('a venue with a changed binary refuses to start and names it; with its hash accepted it starts and logs it', {
  skip,
}, async (context) => {
  const hashes = changeBinaries()
  const args = [join(import.meta.dirname, '../../gateway/main.js'), '--port=0', '--operator-port=0']
  const env = { ...process.env, ...environment }
  const dataDir = `--data-dir=${join(folder, 'data')}`
  const { status, stdout, stderr } = spawnSync(process.execPath, [...args, dataDir], {
    env,
    encoding: 'utf8',
  })
  assert.equal(status, 3)
  assert.equal(stdout, '')
  assert.match(stderr, /^native binary secp256k1\/prebuilds\/\S+ is not the one .*\n$/)
  assert.ok(hashes.some((hash) => stderr.includes(hash)))
  assert.ok(!existsSync(join(folder, 'data')), 'the failed start touched nothing')

  const accepted = [`--set=native.accepted=${hashes.join(',')}`]
  const venue = new Venue({ arguments: accepted, environment })
  context.after(() => venue.dispose())
  await venue.start()
  assert.match(await venue.metrics(), /^strikebook_native_binaries\{kind="accepted"\} 1$/m)
  assert.match(venue.log(), /native binary secp256k1 is not pinned: accepted by native\.accepted/)
  await venue.get('/trades/history?symbol=none')
  assert.deepEqual(mappedBinaries(venue.pid).sort(), toldBinaries(venue.log()).sort())
})

test('doctor names the changed binary, and verbs that need it end with one sentence', {
  skip,
}, () => {
  changeBinaries()
  const run = (...words: readonly string[]) =>
    spawnSync(
      process.execPath,
      [join(import.meta.dirname, '../../scripts/strikebook.js'), ...words],
      {
        env: { ...process.env, ...environment },
        encoding: 'utf8',
      },
    )
  const { status, stdout } = run('doctor', `--data-dir=${folder}`, '--json')
  assert.equal(status, 1)
  const checks: readonly Check[] = JSON.parse(stdout).checks
  const { standing, found } = checks.find(({ name }) => name === 'native binaries')!
  assert.equal(standing, 'bad')
  assert.match(found, /^native binary secp256k1\/prebuilds\/\S+ is not the one that was pinned/)
  const { status: code, stderr } = run('load', '--help')
  assert.equal(code, 1)
  assert.match(stderr, /^strikebook load: native binary secp256k1\/\S+ is not the one .*\n$/)
})

interface Check {
  readonly name: string
  readonly standing: string
  readonly found: string
}

/** Returns the native binaries in the memory of a process, whichever thread has loaded them. */
function mappedBinaries(pid: number): string[] {
  const maps = readFileSync(`/proc/${pid}/maps`, 'utf8')
  return [...new Set(maps.match(/\/\S+\.node$/gm))].map((path) => path.split('/node_modules/')[1]!)
}

/** Returns the binaries that the venue has logged. */
function toldBinaries(log: string): string[] {
  const line = log.split('\n').find((text) => text.includes('"native binaries"'))!
  const { binaries } = JSON.parse(line) as {
    readonly binaries: readonly { readonly name: string; readonly file: string }[]
  }
  return binaries.map(({ name, file }) => `${name}/${file}`)
}
