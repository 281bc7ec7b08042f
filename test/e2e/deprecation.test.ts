import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { endpointOf } from '../../schemas/interface/paths.js'
import type { ReadRow } from '../../schemas/interface/read.js'
import { gatewayReads, historyReads, viewReads } from '../../schemas/interface/reads.js'
import { gatewayServices } from '../../schemas/interface/venue.js'
import { writes as writeRows } from '../../schemas/interface/writes.js'
import { listMarket } from './support/listed-market.js'
import { orderActions } from './support/order-actions.js'
import { sharedVenue } from './support/shared-venue.js'
import { type Body, placeBody, symbolOf, WalletKey } from './support/signed-body.js'
import type { Answer } from './support/venue.js'

const venue = sharedVenue()
const symbol = symbolOf('BTC', 110_000)
const { fundedWallet } = orderActions(venue, symbol)
const names = ['Deprecation', 'Sunset', 'X-Deprecation-Removal-Unix', 'Warning']
const announced = [
  ...['true', 'Sat, 04 Jul 2026 00:00:00 GMT', '1783123200'],
  '299 - "route will become required; send route explicitly"',
]
const removed = ['/candles', '/profile/image', '/limit_iv', '/profile/username-request']

before(() => listMarket(venue, [symbol]))

const announcedBy = ({ headers }: Answer) => names.map((name) => headers.get(name))

function assertSilent(what: string, answer: Answer): void {
  assert.deepEqual(announcedBy(answer), [null, null, null, null], what)
}

test('no read or alias announces a deprecation', async () => {
  const { wallet } = new WalletKey()
  const rows = { ...viewReads, ...historyReads, ...gatewayReads }
  const reads = Object.entries<ReadRow>(rows).map(([key, { query }]) => {
    const [method, path] = endpointOf(key)
    const whole = path.endsWith('/') ? `${path}7` : path
    return [method, 'wallet' in query ? `${whole}?wallet=${wallet}` : whole] as const
  })
  const services = gatewayServices.map((key) => endpointOf(key))
  let found = 0
  for (const [method, path] of [...reads, ...services]) {
    const answer = await (method === 'GET' ? venue.get(path) : venue.send(method, path, {}))
    assertSilent(`${method} ${path}`, answer)
    if (answer.status === 200) found++
  }
  assert.ok(found > 30, `${found} reads were answered`)
})

test('of the writes only a new order without a route announces a deprecation, accepted or rejected', async () => {
  const writes = Object.keys(writeRows)
  assert.ok(writes.length >= 40, `${writes.length} writes`)
  for (const key of writes) {
    const [method, path] = endpointOf(key)
    const answer = await venue.send(method, path, {})
    assert.equal(answer.status, 400, key)
    if (key === 'POST /order') assert.deepEqual(announcedBy(answer), announced, key)
    else assertSilent(key, answer)
  }
})

test('an order without a route announces the deprecation, except as a bulk item or with a route', async () => {
  const by = await fundedWallet()
  const bodyOf = (patch: Body) => placeBody(by, { symbol, ...patch })
  const send = async (path: string, body: unknown) => venue.send('POST', path, body)
  for (const patch of [{ route: undefined }, { route: undefined, size: '0' }]) {
    assert.deepEqual(announcedBy(await send('/order', await bodyOf(patch))), announced)
  }
  const given = await send('/order', await bodyOf({ route: 'best_execution' }))
  assert.equal(given.body.status, 'ACKED', given.text)
  assertSilent('with a route', given)
  for (const path of ['/bulk_order', '/orders']) {
    const answer = await send(path, [await bodyOf({ route: undefined })])
    assert.equal(answer.body[0].success, true, answer.text)
    assertSilent(path, answer)
  }
})

test('removed endpoints answer no method and announce nothing', async () => {
  for (const path of removed) {
    for (const method of ['GET', 'POST', 'PUT', 'DELETE']) {
      const answer = await (method === 'GET' ? venue.get(path) : venue.send(method, path, {}))
      assert.deepEqual([answer.status, answer.body.code], [404, 'not_found'], `${method} ${path}`)
      assertSilent(path, answer)
    }
  }
})
