import assert from 'node:assert/strict'
import {
  cpSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { fillSegments, shortSegments } from './support/filled-segments.js'
import { listMarket } from './support/listed-market.js'
import { orderActions } from './support/order-actions.js'
import { type Body, placeBody, symbolOf, type WalletKey } from './support/signed-body.js'
import { eventually, Venue, type Wire } from './support/venue.js'

// One venue leaves its data; each case damages a copy of it.

const symbol = symbolOf('BTC', 110_000)
const folder = mkdtempSync(join(tmpdir(), 'strikebook-loss-'))
const source = join(folder, 'source')
let seller: WalletKey
let last: Wire
let signed: Body
const perps = ['BTC-PERP', 'ETH-PERP', 'SOL-PERP', 'XRP-PERP']
let lastAsset = 0
let seq = 0

before(async () => {
  mkdirSync(source)
  const venue = new Venue({ dataDir: source, arguments: [shortSegments] })
  await venue.start()
  await listMarket(venue, [symbol])
  seller = await orderActions(venue, symbol).fundedWallet()
  await fillSegments(venue)
  signed = await placeBody(seller, { symbol, side: 'Sell', price: '3300' })
  last = (await venue.send('POST', '/order', signed)).body
  assert.equal(last.status, 'ACKED')
  for (const perp of perps) await venue.set('/instruments', { symbol: perp })
  lastAsset = await assetOf(venue, perps.at(-1)!)
  seq = (await venue.operatorState()).seq
  assert.equal(await venue.end('SIGTERM'), 0)
})
after(() => rmSync(folder, { recursive: true, force: true }))

const isSegment = (name: string) => name.endsWith('.journal')

/** Returns a copy of the data with `spoil` applied to its journal. */
function spoilt(name: string, spoil: (journal: string, dataDir: string) => void): string {
  const dataDir = join(folder, name)
  cpSync(source, dataDir, { recursive: true, filter: (path) => !lstatSync(path).isSocket() })
  spoil(join(dataDir, 'journal'), dataDir)
  return dataDir
}

const lastSegment = (journal: string) =>
  join(journal, readdirSync(journal).filter(isSegment).at(-1)!)

/** Returns names and lengths of the files in the journal's folder. */
function shown(dataDir: string): string[] {
  const names = readdirSync(join(dataDir, 'journal'), { recursive: true }) as string[]
  const files = names.filter((name) => /\.(journal|state)$/.test(name)).sort()
  return files.map((name) => `${name} ${statSync(join(dataDir, 'journal', name)).size}`)
}

async function assertRefused(dataDir: string, trace: RegExp): Promise<void> {
  const before = shown(dataDir)
  await assert.rejects(
    new Venue({ dataDir, arguments: [shortSegments] }).start(),
    (error: Error) => {
      assert.match(error.message, /ended with code 3 /)
      assert.match(error.message, trace)
      return true
    },
  )
  assert.deepEqual(shown(dataDir), before, 'the failed start changed nothing')
}

/** Starts with the loss accepted: halted, and with numbers above all earlier ones. */
async function assertAccepted(dataDir: string): Promise<void> {
  const venue = new Venue({ dataDir, arguments: [shortSegments, '--accept-loss'] })
  await venue.start()
  try {
    assert.ok((await venue.operatorState()).seq > seq)
    await venue.set('/halts', { underlying: 'BTC', mode: 'open' })
    await listMarket(venue, [symbol])
    const { fundedWallet, place } = orderActions(venue, symbol)
    const order = await place(await fundedWallet(), { side: 'Sell', price: '3300' })
    assert.equal(order.status, 'ACKED')
    assert.ok(order.order_id > last.order_id, `${order.order_id} is not above ${last.order_id}`)
    await venue.set('/deposits', { wallet: seller.wallet, amount: '1000000' })
    const again = (await venue.send('POST', '/order', signed)).body
    const isRepeat = again.order_id === last.order_id
    assert.ok(isRepeat || again.reason_code === 'nonce_used', 'no action executes twice')
    await venue.set('/instruments', { symbol: 'DOGE-PERP' })
    const asset = await assetOf(venue, 'DOGE-PERP')
    assert.ok(asset > lastAsset, `asset ${asset} was another's, up to ${lastAsset}`)
    await assertNewIsHalted(venue, await fundedWallet())
    assert.equal(await venue.end('SIGTERM'), 0)
  } finally {
    await venue.dispose()
  }
}

/** Returns the asset number of a perp, once it is listed. */
async function assetOf(venue: Venue, symbol: string): Promise<number> {
  let listed: Wire | undefined
  await eventually(`${symbol} is listed`, async () => {
    const { perps } = await venue.read('/exchange-info')
    listed = (perps as Wire[]).find((perp) => perp.symbol === symbol)
    return listed !== undefined
  })
  return listed!.asset
}

/** Asserts that an instrument unknown to the lost part is halted too, until the operator opens it. */
async function assertNewIsHalted(venue: Venue, by: WalletKey): Promise<void> {
  const other = symbolOf('DOGE', 1)
  await venue.set('/instruments', { symbol: other })
  const { place } = orderActions(venue, other)
  const terms = { side: 'Sell', price: '0.1', size: '1' }
  assert.equal((await place(by, terms)).reason_code, 'trading_halted')
  await venue.set('/halts', { scope: 'all', mode: 'open' })
  assert.notEqual((await place(by, terms)).reason_code, 'trading_halted')
}

const history =
  /the history store has seen sequence \d+[\s\S]* are missing\. Bring the files back, .* --accept-loss/

test('the start fails if the whole journal is missing, and an operator can accept the loss', async () => {
  const dataDir = spoilt('gone', (journal) => rmSync(journal, { recursive: true }))
  await assert.rejects(new Venue({ dataDir, arguments: [shortSegments] }).start(), history)
  await assertAccepted(dataDir)
})

test('the start fails if only the archive is left; with the loss accepted, the archive becomes the journal', async () => {
  const dataDir = spoilt('archive', (journal) => {
    for (const name of readdirSync(journal)) if (name !== 'archive') rmSync(join(journal, name))
  })
  await assertRefused(dataDir, /archive\/segment-\d+\.journal has seen sequence \d+/)
  const archived = readdirSync(join(dataDir, 'journal', 'archive')).filter(isSegment)
  await assertAccepted(dataDir)
  const names = shown(dataDir).map((line) => line.split(' ')[0]!)
  for (const name of archived)
    assert.ok(
      names.some((path) => path.endsWith(name)),
      name,
    )
})

// Other cuts and deletions: `test/engine/journal/lost-end.test.ts`.
test('the start fails if the last segment was cut in the middle, and an operator can accept the loss', async () => {
  const dataDir = spoilt('cut', (journal) => {
    const segment = lastSegment(journal)
    truncateSync(segment, Math.floor(statSync(segment).size / 2))
  })
  await assertRefused(dataDir, history)
  await assertAccepted(dataDir)
})

test('an emptied segment with all others in the archive is damage, and the error names the remedy', async () => {
  const dataDir = spoilt('alone', (journal) => {
    truncateSync(lastSegment(journal), 0)
    for (const name of readdirSync(journal).filter(isSegment).slice(0, -1)) {
      renameSync(join(journal, name), join(journal, 'archive', name))
    }
  })
  await assertRefused(
    dataDir,
    /journal damaged: segment-\d+\.journal .*what it held.*--accept-loss/,
  )
  await assertAccepted(dataDir)
})

test('with the history store missing too, a snapshot ahead of the journal reveals the loss', async () => {
  const dataDir = spoilt('snapshot', (journal, folderOfData) => {
    rmSync(lastSegment(journal))
    for (const name of readdirSync(folderOfData)) {
      if (name.startsWith('history.db')) rmSync(join(folderOfData, name))
    }
  })
  await assertRefused(dataDir, /snapshot-\d+\.state has seen sequence \d+/)
})
