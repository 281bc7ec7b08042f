import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import Database from 'libsql'
import { fillSegments, shortSegments } from './support/filled-segments.js'
import { listMarket } from './support/listed-market.js'
import { orderActions } from './support/order-actions.js'
import { symbolOf } from './support/signed-body.js'
import { assertError, eventually, Venue } from './support/venue.js'

const symbol = symbolOf('BTC', 110_000)
/** Shared by all tests; each leaves it running. */
const venue = new Venue({ arguments: [shortSegments, '--set=history.checkHours=24'] })

before(async () => {
  await venue.start()
  await listMarket(venue, [symbol])
})
after(() => venue.dispose())

async function orderCount(wallet: string): Promise<number> {
  const answer = await venue.get(`/orders?wallet=${wallet}`)
  if (answer.status === 200) return answer.body.data.length
  // A client that polls until the store is ready may reach its read limit first.
  if (answer.status !== 429) assertError(answer, 503, 'not_ready')
  return -1
}

const historyFiles = () =>
  readdirSync(venue.dataDir).filter((name) => name.startsWith('history.db'))

const isRebuilding = () => existsSync(join(venue.dataDir, 'history.rebuilding'))
const asides = () => historyFiles().filter((name) => name.includes('.aside-'))

/** Returns how often the running process has rebuilt its store. */
async function rebuildCount(): Promise<number> {
  const row = /^strikebook_history_rebuilds_total\S* (\d+)$/m.exec(await venue.metrics())
  return Number(row?.[1] ?? 0)
}

/** Overwrites the store's pages while a process uses them. */
function spoil(): void {
  for (const name of ['history.db', 'history.db-wal']) {
    const file = join(venue.dataDir, name)
    writeFileSync(file, Buffer.alloc(statSync(file).size, 7))
  }
}

/** Flips one bit of a wallet's address in an index; queries still succeed. */
function flipBitOfIndex(wallet: string): void {
  const file = join(venue.dataDir, 'history.db')
  const database = new Database(file)
  database.exec('pragma wal_checkpoint(TRUNCATE)')
  const root = "select rootpage from sqlite_schema where name = 'orders_unlisted'"
  const { rootpage } = database.prepare(root).get() as { rootpage: number }
  const { page_size: pageBytes } = database.prepare('pragma page_size').get() as {
    page_size: number
  }
  database.close()
  const bytes = readFileSync(file)
  const page = bytes.subarray((rootpage - 1) * pageBytes, rootpage * pageBytes)
  // Keeps the rows in their order, which SQLite checks itself: the wallet's first row becomes less, or its last one
  // more. SQLite inserts each new one before the existing ones.
  const isOdd = (Buffer.from(wallet).at(-1)! & 1) === 1
  const at = isOdd ? page.lastIndexOf(wallet) : page.indexOf(wallet)
  assert.ok(at > 0)
  page[at + wallet.length - 1] ^= 1
  writeFileSync(file, bytes)
}

// Runs first, while the index is one page.
test('the store check finds a flipped bit that fails no query, and the venue rebuilds the store', async () => {
  const { fundedWallet, place } = orderActions(venue, symbol)
  const seller = await fundedWallet()
  for (let i = 0; i < 3; i++) await place(seller, { side: 'Sell', price: '3300', size: '0.1' })
  const orders = await venue.read(`/orders?wallet=${seller.wallet}`)
  assert.equal(orders.data.length, 3)
  await venue.end('SIGTERM')
  flipBitOfIndex(seller.wallet)
  await venue.start()
  await venue.read(`/orders?wallet=${seller.wallet}`)
  const isLogged = (text: string) => venue.log().includes(`history: ${text}`)
  await eventually('the check finds the fault', () =>
    isLogged('the check of the store found a fault: orders: '),
  )
  await eventually('the store is complete', () => isLogged('the store is complete again'))
  assert.deepEqual((await venue.read(`/orders?wallet=${seller.wallet}`)).data, orders.data)
  assert.ok(asides().length > 0)
  assert.equal(await rebuildCount(), 1)
})

test('the venue rebuilds a store that breaks while it runs, and trading continues', async () => {
  const { fundedWallet, place } = orderActions(venue, symbol)
  const seller = await fundedWallet()
  const first = await place(seller, { side: 'Sell', price: '3300' })
  await eventually('the store has it', async () => (await orderCount(seller.wallet)) === 1)
  await eventually('no store is being filled', () => !isRebuilding())
  const [asidesBefore, rebuildsBefore] = [asides(), await rebuildCount()]
  const logBefore = venue.log().length
  spoil()
  let placed = 1
  await eventually('the fault is found', async () => {
    const order = await place(seller, { side: 'Sell', price: '3300', size: '0.1' })
    assert.equal(order.status, 'ACKED')
    placed++
    await venue.get('/trades')
    return (await rebuildCount()) === rebuildsBefore + 1
  })
  const ready = await fetch(`${venue.operatorUrl}/readyz`)
  assert.equal(ready.status, 200)
  await eventually(
    'the new store has every order',
    async () => (await orderCount(seller.wallet)) === placed,
  )
  const late = await place(seller, { side: 'Sell', price: '3300', size: '0.1' })
  assert.ok(late.order_id > first.order_id)
  await eventually(
    'the history continues',
    async () => (await orderCount(seller.wallet)) === placed + 1,
  )
  assert.ok(asides().some((name) => !asidesBefore.includes(name)))
  assert.match(venue.log().slice(logBefore), /alarm: history: the store failed/)
  await venue.end('SIGTERM')
  assert.ok(!isRebuilding())
  await venue.start()
  assert.equal(await orderCount(seller.wallet), placed + 1)
})

test('the venue waits for a store that another process locks, and trading continues', async () => {
  const { fundedWallet, place } = orderActions(venue, symbol)
  const seller = await fundedWallet()
  await place(seller, { side: 'Sell', price: '3300' })
  const before = asides()
  const other = new Database(join(venue.dataDir, 'history.db'), { timeout: 5000 })
  other.exec('begin immediate')
  for (let i = 0; i < 3; i++) {
    const order = await place(seller, { side: 'Sell', price: '3300', size: '0.1' })
    assert.equal(order.status, 'ACKED')
    await sleep(800)
  }
  other.exec('rollback')
  other.close()
  await eventually('all four are there', async () => (await orderCount(seller.wallet)) === 4)
  assert.deepEqual(asides(), before)
})

test('the venue rebuilds a deleted store from journal and archive while it trades', async () => {
  const { fundedWallet, place } = orderActions(venue, symbol)
  const seller = await fundedWallet()
  await place(seller, { side: 'Sell', price: '3300' })
  await fillSegments(venue)
  const first = await venue.read(`/orders?wallet=${seller.wallet}`)
  await venue.end('SIGTERM')
  for (const name of historyFiles()) rmSync(join(venue.dataDir, name))
  await venue.start()
  await eventually('it is filled', async () => (await orderCount(seller.wallet)) >= 0)
  assert.deepEqual((await venue.read(`/orders?wallet=${seller.wallet}`)).data, first.data)
})
