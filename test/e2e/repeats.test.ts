import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { longTest } from '../support/long-test.js'
import { listMarket } from './support/listed-market.js'
import { orderActions } from './support/order-actions.js'
import { sharedVenue } from './support/shared-venue.js'
import { type Body, cancelBody, placeBody, replaceBody, symbolOf } from './support/signed-body.js'
import type { Wire } from './support/venue.js'

const venue = sharedVenue()
const symbol = symbolOf('BTC', 110_000)
const { fundedWallet, book } = orderActions(venue, symbol)

before(async () => {
  await listMarket(venue, [symbol])
})

test("a retry with other unsigned fields gets the answer with the order's own", async () => {
  const [by, stranger] = [await fundedWallet(), await fundedWallet()]
  const body = await placeBody(by, { symbol, price: '1700' })
  const first = await venue.send('POST', '/order', { ...body, mmp_enabled: false })
  assert.equal(first.body.status, 'ACKED', first.text)
  const other = { ...body, mmp_enabled: true, builder_code_address: stranger.wallet }
  const again = await venue.send('POST', '/order', other)
  assert.equal(again.text, first.text)
})

longTest(
  'order, replacement, bulk and cancel retried after kill -9 get their first answers',
  async () => {
    const [by, seller] = [await fundedWallet(), await fundedWallet()]
    const sent: { method: string; path: string; body: unknown; text: string }[] = []
    const send = async (method: string, path: string, body: unknown): Promise<Wire> => {
      const answer = await venue.send(method, path, body)
      assert.equal(answer.status, 200, answer.text)
      sent.push({ method, path, body, text: answer.text })
      return answer.body
    }
    const order = (patch: Body) => placeBody(by, { symbol, ...patch })
    const ask = { symbol, side: 'Sell', price: '2000', size: '0.4' }
    await send('POST', '/order', await placeBody(seller, ask))
    const part = await send('POST', '/order', await order({ price: '2000', size: '1' }))
    assert.deepEqual([part.status, part.filled_size], ['PARTIALLY_FILLED', 0.4])
    await send('POST', '/order', await order({ price: '1999', tif: 'ioc' }))
    const moved = { symbol, order_id: part.order_id, price: '1900', size: '2' }
    const replaced = await send('PUT', '/order', await replaceBody(by, moved))
    assert.equal(replaced.status, 'ACKED')
    const bulk = await send('POST', '/bulk_order', [
      await order({ price: '1800', client_id: 'bulk' }),
      await order({ price: '1801' }),
    ])
    const second = bulk[1].data.order_id
    await send('PUT', '/bulk_order', {
      replacements: [await replaceBody(by, { symbol, order_id: second, price: '1802' })],
    })
    const gone = await cancelBody(by, { order_id: replaced.order_id })
    assert.equal((await send('DELETE', '/order', gone)).status, 'CANCELED')
    await send('DELETE', '/bulk_order_cloid', [await cancelBody(by, { client_id: 'bulk' })])

    const before = await book()
    for (const isRestarted of [false, true]) {
      if (isRestarted) {
        await venue.end('SIGKILL')
        await venue.start()
      }
      for (const { method, path, body, text } of sent) {
        const again = await venue.send(method, path, body)
        assert.equal(again.text, text, `${method} ${path}, restarted: ${isRestarted}`)
      }
      assert.deepEqual(await book(), before)
    }
  },
)
