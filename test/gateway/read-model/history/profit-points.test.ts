import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { walletOf } from '../../../../bench/event-script.js'
import { openHistory } from '../../../../gateway/read-model/history/history-schema.js'
import { perp } from '../../../support/funding-rig.js'
import {
  chargedConfig,
  FedHistory,
  fiveMinutes,
  ProfitRig,
  queryStore,
  sumsIn,
} from '../../../support/profit-rig.js'

const wallets = [1, 2, 3, 4]
const option = {}

interface Point {
  readonly timestamp: number
  readonly equity: string
  readonly net_deposits: string
  readonly attribution?: Readonly<Record<string, readonly number[]>>
}

function folder(context: TestContext): string {
  const path = mkdtempSync(join(tmpdir(), 'profits-'))
  context.after(() => rmSync(path, { recursive: true }))
  return path
}

/** Some minutes of trades at random, with moving prices, deposits between, and hours that funding is paid in. */
function tradedRig(seed: number, minutes: number): ProfitRig {
  const rig = new ProfitRig(seed)
  rig.openPerp('0')
  for (let i = 0; i < minutes; i++) {
    const buyer = 1 + rig.below(4)
    const seller = 1 + ((buyer + rig.below(3)) % 4)
    const isPerp = rig.below(2) === 0
    const price = isPerp ? String(99_000 + 10 * rig.below(200)) : String(3000 + rig.below(400))
    const size = `${1 + rig.below(3)}.${rig.below(10)}`
    if (rig.below(3) > 0)
      rig.trade(buyer, seller, price, size, { instrument: isPerp ? perp : option })
    if (rig.below(5) === 0) rig.deposit(buyer, 1 + rig.below(100))
    if (rig.below(2) === 0) rig.index(99_000 + rig.below(2000))
    rig.quote('100800', '100900')
    rig.minutes(1)
    rig.cancelAll()
    rig.events()
  }
  return rig
}

const pointsOf = (dataDir: string, wallet: number, more = ''): Point[] =>
  queryStore(dataDir, '/historical-pnl', `wallet=${walletOf(wallet)}&interval=5m${more}`).data
    .points

test('a point equals the portfolio at its time, to the micro', (context) => {
  const rig = tradedRig(7, 130)
  const dataDir = folder(context)
  const history = new FedHistory(dataDir, chargedConfig()).feed(rig.published, true)
  const before = wallets.map((wallet) => pointsOf(dataDir, wallet))
  history.close()
  for (const [index, wallet] of wallets.entries()) {
    const points = pointsOf(dataDir, wallet)
    assert.deepEqual(points, before[index], 'whether sums have the rows or not')
    assert.ok(points.length > 20)
    for (const { timestamp, equity } of points) {
      const worth = rig.worths.find(
        (one) => one.wallet === walletOf(wallet) && one.millis === timestamp,
      )
      assert.equal(equity, worth?.equity, `wallet ${wallet} at ${timestamp}`)
    }
  }
})

test('equity less net deposits equals the profit of all symbols, funding and other names', (context) => {
  const dataDir = folder(context)
  new FedHistory(dataDir, chargedConfig()).feed(tradedRig(8, 130).published, true).close()
  let funded = 0
  for (const wallet of wallets) {
    for (const point of pointsOf(dataDir, wallet, '&include_attribution=true')) {
      const rows = Object.values(point.attribution!)
      const total = rows.reduce((sum, row) => sum + row[4]!, 0)
      const gained = Number(point.equity) - Number(point.net_deposits)
      assert.ok(Math.abs(gained - total) < 1e-6, `${gained} is not ${total}`)
      for (const [, , realized, unrealized, both] of rows) {
        assert.ok(Math.abs(realized! + unrealized! - both!) < 1e-6)
      }
      if (Object.hasOwn(point.attribution!, 'funding')) funded++
    }
    assert.ok(pointsOf(dataDir, wallet).every((point) => point.attribution === undefined))
  }
  assert.ok(funded > 0)
})

test('points ascend, the last ones up to the limit, from the first boundary with a value', (context) => {
  const dataDir = folder(context)
  new FedHistory(dataDir, chargedConfig()).feed(tradedRig(9, 40).published, true).close()
  const points = pointsOf(dataDir, 1)
  const times = points.map(({ timestamp }) => timestamp)
  assert.deepEqual(
    times,
    times.toSorted((one, other) => one - other),
  )
  assert.ok(times.every((time) => time % fiveMinutes === 0))
  assert.deepEqual(pointsOf(dataDir, 1, '&limit=2'), points.slice(-2))
  assert.deepEqual(pointsOf(dataDir, 99), [])
})

test('a store that was fed in pieces, some twice, equals one that is filled again', (context) => {
  const rig = tradedRig(10, 60)
  const [whole, pieces] = [folder(context), folder(context)]
  new FedHistory(whole, chargedConfig()).feed(rig.published, true).close()
  const third = Math.floor(rig.published.length / 3)
  for (const [from, to] of [
    [0, third],
    [third - 40, 2 * third],
    [2 * third - 1, rig.published.length],
  ] as const) {
    new FedHistory(pieces, chargedConfig()).feed(rig.published.slice(from, to), from === 0).close()
  }
  const [one, other] = [whole, pieces].map((dataDir) => {
    const database = openHistory(dataDir)
    const tables = ['profit_days', 'profit_hours', 'profit_spans']
    const rows = tables.map((table) => sumsIn(database, table))
    database.close()
    return rows
  })
  assert.deepEqual(other, one)
})
