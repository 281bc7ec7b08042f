import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { lockDataDirectory } from '../../../../engine/journal/data-lock.js'
import type { OrderStages, OrderWhy } from '../../../../schemas/interface/orders.js'
import { ofBatch, queryVenue, stagesOf } from '../../../../scripts/command/why/venue-answer.js'
import { KeptData } from '../../../support/kept-data.js'
import { strikebookAsync } from '../../../support/strikebook.js'

const kept = new KeptData('clean')
after(() => kept.dispose())
const wallet = '0x7e5f4552091a69125d5dfcb7b8c2659029395bdf'
const stages: OrderStages = {
  ...{ socket_micros: 40, recovery_micros: 60, ring_micros: 100, batch_micros: 200 },
  ...{ match_micros: 300, flush_micros: null, pump_micros: 200, total_micros: 900 },
}
const nothing = { order_id: null, action: null, symbol: null, seq: null, margin: null }
const data: OrderWhy = {
  ...{ ...nothing, wallet, nonce: 3, gateway: 0, received_at: 1, stages, neighbours: [] },
  ...{ status: 'REJECTED', reason: 'rate_limit_exceeded', source: 'measured', check: null },
  batch: { number: 7, first_seq: 1, last_seq: 9, commands: 2, place: 1, time: 1 },
}

/** Runs `use` with a venue that knows one order. @returns its result. */
async function withVenue<T>(use: (url: string) => Promise<T>): Promise<T> {
  const server = createServer(({ url = '' }, answer) => {
    const isKnown = url === '/orders/why?order_id=9' || url.includes(`wallet=${wallet}&nonce=3`)
    const error = { code: 'not_found', message: 'Not found' }
    answer.writeHead(isKnown ? 200 : 404, { 'content-type': 'application/json' })
    answer.end(JSON.stringify(isKnown ? { success: true, data } : { success: false, error }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    return await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

test('the command queries a venue for an order by its id, or by wallet and nonce', async () => {
  await withVenue(async (url) => {
    assert.deepEqual(await queryVenue({ order_id: 9 }, url, kept.dataDir), {
      answer: data,
      note: null,
    })
    const { answer } = await queryVenue({ wallet, nonce: '3' }, url, kept.dataDir)
    assert.deepEqual(answer?.stages, stages)
  })
})

test('an order that the venue does not know, and a venue that does not answer, are reported', async () => {
  await withVenue(async (url) => {
    const { answer, note } = await queryVenue({ order_id: 8 }, url, kept.dataDir)
    assert.equal(answer, null)
    assert.match(note!, /^http:.*does not have this order/)
  })
  const gone = await queryVenue({ order_id: 9 }, 'http://127.0.0.1:1', kept.dataDir)
  assert.equal(gone.answer, null)
  assert.match(gone.note!, /^http:\/\/127\.0\.0\.1:1: /)
})

test('without --url the command queries the venue in the lock of the folder', async () => {
  const unheld = await queryVenue({ order_id: 9 }, undefined, kept.dataDir)
  assert.equal(unheld.answer, null)
  assert.match(unheld.note!, /^no venue runs on \/.*; select another venue with --url$/)
  const lock = await lockDataDirectory(kept.dataDir)
  try {
    const starting = await queryVenue({ order_id: 9 }, undefined, kept.dataDir)
    assert.match(starting.note!, /^the venue on \/.* has no address yet/)
    await withVenue(async (url) => {
      lock.publish(url)
      assert.deepEqual((await queryVenue({ order_id: 9 }, undefined, kept.dataDir)).answer, data)
    })
    const { note } = await queryVenue({ order_id: 9 }, undefined, kept.dataDir)
    assert.match(note!, /^http:.*\(address of the venue on \/.*; select another with --url\)$/)
  } finally {
    await lock.release()
  }
})

test("an order that its gateway failed, which no journal has, is shown with the venue's answer", async () => {
  await withVenue(async (url) => {
    const words = ['why', `--data-dir=${kept.dataDir}`, `--url=${url}`, `--wallet=${wallet}`]
    const { code, out } = await strikebookAsync(...words, '--nonce=3')
    assert.equal(code, 0)
    assert.match(out, /the venue reports: REJECTED \(rate_limit_exceeded\)/)
    assert.match(out, /stage times: socket 40 us, .*flush -, .*total 900 us/)
    assert.match(out, /was not found: searched batches 1 to \d+/)
  })
})

test('a venue has no measurements of an order from before its start', () => {
  assert.equal(stagesOf({ answer: { ...data, source: 'store' }, note: null }), null)
  assert.equal(stagesOf({ answer: data, note: null }), stages)
  assert.equal(stagesOf({ answer: null, note: '' }), null)
})

test("the answer of another folder's venue is ignored", () => {
  const word = { answer: data, note: null }
  assert.equal(ofBatch(word, 7), word)
  assert.equal(ofBatch(word, 8).answer, null)
  assert.match(ofBatch(word, 8).note!, /runs on another folder/)
})
