import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, test } from 'node:test'
import { isLongRun } from '../support/long-test.js'
import { projectRoot } from '../support/project.js'
import { eventually, Venue, type Wire } from './support/venue.js'

// A built package and its data in a folder whose name changes when it is read as part of a URL.

const skip = isLongRun ? false : 'npm run test:long'
const base = mkdtempSync(join(tmpdir(), 'strikebook-path-'))
const folder = join(base, "a b's %41 100%", '#1?x=y', 'größe')
mkdirSync(folder, { recursive: true })
const venue = new Venue({
  arguments: ['--feed=simulated', '--maker=on'],
  program: join(folder, 'dist/gateway/main.js'),
  directory: folder,
})

if (skip === false) {
  before(async () => {
    installTo(folder)
    await venue.start()
  })
  after(() => venue.dispose())
}
after(() => rmSync(base, { recursive: true }))

/** Links the files of the package and its dependencies. */
function installTo(folder: string): void {
  const { packages } = JSON.parse(readFileSync(join(projectRoot, 'package-lock.json'), 'utf8')) as {
    readonly packages: Readonly<Record<string, { readonly dev?: boolean }>>
  }
  const needed = Object.keys(packages).filter((path) => path !== '' && !packages[path]!.dev)
  const built = ['engine', 'gateway', 'schemas', 'scripts', 'bench', 'sbom.json']
  const own = ['package.json', 'scripts/launch.js', 'scripts/build-once.js']
  for (const path of [...own, ...built.map((name) => join('dist', name)), ...needed]) {
    const from = join(projectRoot, path)
    if (existsSync(from)) linkAll(from, join(folder, path))
  }
}

function linkAll(from: string, to: string): void {
  if (existsSync(to)) return
  mkdirSync(dirname(to), { recursive: true })
  const entries = readdirSync(dirname(from), { withFileTypes: true })
  if (!entries.find(({ name }) => join(dirname(from), name) === from)!.isDirectory()) {
    link(from, to)
    return
  }
  for (const entry of readdirSync(from, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile()) continue
    const file = join(entry.parentPath, entry.name)
    const copy = join(to, file.slice(from.length))
    mkdirSync(dirname(copy), { recursive: true })
    if (!existsSync(copy)) link(file, copy)
  }
}

function link(from: string, to: string): void {
  try {
    linkSync(from, to)
  } catch {
    copyFileSync(from, to) // source and target are on different file systems
  }
}

test('the market maker of a venue in that folder quotes', { skip }, async () => {
  await eventually('quotes of the market maker', async () => {
    const { result } = await venue.read('/options-summary?currency=BTC')
    return result.some(({ bid_price: bid, ask_price: ask }: Wire) => bid > 0 && ask > 0)
  })
})

test('the pages, reference and history of a venue in that folder answer', { skip }, async () => {
  for (const path of ['/app', '/docs', '/openapi.json', '/trades', '/v1/withdrawals']) {
    const query = path.startsWith('/v1') ? `?wallet=0x${'ab'.repeat(20)}` : ''
    await eventually(path, async () => (await fetch(`${venue.url}${path}${query}`)).status === 200)
  }
  const page = await (await fetch(`${venue.url}/app`)).text()
  const [, script] = /src="([^"]+\.js)"/.exec(page)!
  assert.equal((await fetch(venue.url + script)).status, 200)
})

test('the command line of a package in that folder runs', { skip }, () => {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(folder, 'scripts/launch.js'), '--version'],
    { encoding: 'utf8' },
  )
  assert.equal(status, 0, stderr)
  assert.match(stdout, /\d+\.\d+\.\d+/)
})
