import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Manifest } from '../../scripts/venue-data/backup.js'
import { strikebook, strikebookAsync, strikebookJson } from '../support/strikebook.js'
import { fillSegments, shortSegments } from './support/filled-segments.js'
import { listMarket } from './support/listed-market.js'
import { orderActions } from './support/order-actions.js'
import { symbolOf } from './support/signed-body.js'
import { Venue } from './support/venue.js'

const symbol = symbolOf('BTC', 110_000)
const venue = new Venue({ arguments: [shortSegments] })
const folder = mkdtempSync(join(tmpdir(), 'strikebook-backup-'))
const backupDir = join(folder, 'backup')
const dataDir = join(folder, 'restored')

before(async () => {
  await venue.start()
  await listMarket(venue, [symbol])
})
after(async () => {
  await venue.dispose()
  rmSync(folder, { recursive: true })
})

test('a backup under load restores everything acknowledged before it', async () => {
  const { fundedWallet, place } = orderActions(venue, symbol)
  const [seller, buyer] = [await fundedWallet(), await fundedWallet()]
  await venue.set('/tiers', { wallet: seller.wallet, tier: 'market_maker' })
  await fillSegments(venue)
  const acknowledged = new Set<number>()
  let isOver = false
  const load = async () => {
    while (!isOver) {
      const order = await place(seller, { side: 'Sell', price: '3300', size: '0.1' })
      acknowledged.add(order.order_id)
      await sleep(200) // within its tier's limits, also during a slow copy
    }
  }
  await place(buyer, { price: '3300', size: '0.1', tif: 'gtc' })
  const loads = [load(), load()]
  while (acknowledged.size < 20) await sleep(20)
  const known = [...acknowledged]
  const { code, out, error } = await strikebookAsync(
    ...['backup', `--data-dir=${venue.dataDir}`, `--to=${backupDir}`, '--json'],
  )
  isOver = true
  await Promise.all(loads)
  assert.equal(code, 0, error)
  const taken = JSON.parse(out)
  assert.ok(existsSync(join(backupDir, 'journal', 'archive')))
  assert.ok(!existsSync(join(backupDir, 'operator.token')))
  const live = strikebookJson<{ stateHash: string }>(
    ...['inspect', 'hash', '--batch', String(taken.lastBatch), `--data-dir=${venue.dataDir}`],
  )
  assert.equal(taken.stateHash, live.stateHash)

  const restored = strikebookJson<{ lastBatch: number; stateHash: string }>(
    ...['restore', `--from=${backupDir}`, `--data-dir=${dataDir}`],
  )
  assert.equal(restored.lastBatch, taken.lastBatch)
  assert.equal(restored.stateHash, live.stateHash)
  const again = new Venue({ dataDir, arguments: [shortSegments] })
  try {
    await again.start()
    for (const id of known) {
      const { data } = await again.read(`/orders/status?wallet=${seller.wallet}&order_id=${id}`)
      assert.equal(data.order_id, id)
    }
    const { data } = await again.read(`/fills?wallet=${buyer.wallet}`)
    assert.equal(data.length, 1)
    assert.doesNotMatch(again.log(), /history store quarantined|a loss is accepted/)
    await again.end()
  } finally {
    await again.dispose()
  }
})

test('restore refuses a non-empty folder, or renames it on request', () => {
  const restore = ['restore', `--from=${backupDir}`, `--data-dir=${dataDir}`]
  const refused = strikebook(...restore)
  assert.equal(refused.code, 2)
  assert.match(refused.error, /is not empty/)
  assert.equal(strikebook('backup', `--data-dir=${venue.dataDir}`, `--to=${backupDir}`).code, 2)
  const { aside } = strikebookJson<{ aside: string }>(...restore, '--replace')
  assert.ok(existsSync(join(aside, 'journal')))
})

test('restore never replaces the folder of a running venue', () => {
  const running = strikebook(
    'restore',
    `--from=${backupDir}`,
    `--data-dir=${venue.dataDir}`,
    '--replace',
  )
  assert.equal(running.code, 1)
  assert.match(running.error, /is in use by process/)
})

test("restore refuses another venue's data by name, unless a flag allows it", () => {
  const target = join(folder, 'other')
  const restore = ['restore', `--from=${backupDir}`, `--data-dir=${target}`]
  const other = strikebook(...restore, '--preset=testnet')
  assert.equal(other.code, 2)
  assert.match(other.error, /the backup belongs to preset development/)
  assert.ok(!existsSync(target))
  assert.equal(strikebook(...restore, '--preset=testnet', '--any-identity').code, 0)
})

test('restore refuses a backup that lost a byte or was never finished', () => {
  const target = join(folder, 'never')
  const restore = ['restore', `--from=${backupDir}`, `--data-dir=${target}`]
  const manifest = join(backupDir, 'backup.json')
  const text = readFileSync(manifest, 'utf8')
  const [{ file }] = (JSON.parse(text) as Manifest).files as unknown as [{ file: string }]
  const bytes = readFileSync(join(backupDir, file))
  bytes[bytes.length >> 1] ^= 1
  writeFileSync(join(backupDir, file), bytes)
  const damaged = strikebook(...restore)
  assert.equal(damaged.code, 1)
  assert.match(damaged.error, new RegExp(`the backup is damaged: ${file}`))
  rmSync(manifest)
  assert.equal(strikebook(...restore).code, 2)
  assert.deepEqual(
    readdirSync(folder).filter((name) => name === 'never'),
    [],
  )
})
