import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { EventScript, smallMemory, walletOf } from '../../../../bench/event-script.js'
import { engineConfigDefault } from '../../../../engine/state/market/engine-config.js'
import { orderFillsQuestion } from '../../../../gateway/link/read-protocol.js'
import { HistoryQueries } from '../../../../gateway/read-model/history/history-query.js'
import { HistoryWriter } from '../../../../gateway/read-model/history/history-writer.js'
import { testExpiryMillis, testSymbol } from '../../../support/gateway-rig.js'

const start = 1_000_000

test('the fills of an order’s first step are found by its time, in their order', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'history-'))
  try {
    const memory = smallMemory()
    const script = new EventScript(memory, start)
    const writer = new HistoryWriter(memory, dataDir, engineConfigDefault, () => 0)
    writer.onStart()
    script.instrument(0, testSymbol, 0, testExpiryMillis)
    const [wallet, instrument] = [walletOf(1), 0]
    let fillId = 0
    const fill = (orderId: number, isTaker: boolean, priceMicros: number) => {
      fillId++
      const ids = { fillId, tradeId: fillId, orderId, instrument, account: 0 }
      script.fill({ ...ids, wallet, isTaker, priceMicros, sizeLots: 50_000_000 })
    }
    for (let i = 0; i < 20; i++) fill(5, true, 1_000_000)
    script.timeMillis = start + 7
    fill(6, false, 1_000_000)
    fill(8, true, 2_000_000)
    fill(8, true, 3_000_000)
    fill(9, true, 4_000_000)
    script.timeMillis = start + 9
    fill(8, false, 5_000_000)
    script.commit()
    writer.onClose()
    const queries = new HistoryQueries(dataDir)
    const ask = (orderId: number, millis: number) => {
      const query = `order_id=${orderId}&time=${millis}`
      return JSON.parse(queries.answer({ path: orderFillsQuestion, query }).body).data
    }
    const one = { coin: 'BTC', side: 'Buy', size: '0.5', time: start + 7 }
    assert.deepEqual(ask(8, start + 7), [
      { ...one, price: '2' },
      { ...one, price: '3' },
    ])
    assert.equal(ask(5, start).length, 20)
    assert.deepEqual(ask(8, start), [])
    assert.deepEqual(ask(8, start + 9), [], 'it was no taker then')
    assert.deepEqual(ask(8, start + 100), [])
    queries.close()
  } finally {
    rmSync(dataDir, { recursive: true })
  }
})
