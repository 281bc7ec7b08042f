import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HaltMode, MarginMode } from '../../../../schemas/domain.js'
import { AccountEvent, EventType } from '../../../../schemas/generated/events.js'
import { Result } from '../../../../schemas/results.js'
import { AuctionRig, rowsOf } from '../../../support/auction-rig.js'
import { CoreRig } from '../../../support/core-rig.js'
import { RfqRig, spread, taker } from '../../../support/rfq-rig.js'
import { tradedRig } from '../../../support/traded-rig.js'
import { withdrawOf } from '../../../support/withdrawal-rig.js'

const stopped = 1
const bid = { wallet: stopped, side: 'Buy', price: '100', size: '1' } as const
const resultOf = (rig: CoreRig, request: number) => rig.outcome(request)['result']

function stoppedRig() {
  const rig = tradedRig()
  const orderId = Number(rig.outcome(rig.place(bid))['orderId'])
  assert.equal(resultOf(rig, rig.stopWallet(stopped)), Result.Accepted)
  return { rig, orderId }
}

test('a stopped wallet can place and replace nothing, not even reducing orders, but can cancel', () => {
  const { rig, orderId } = stoppedRig()
  const closing = { ...bid, side: 'Sell', price: '5000', reduceOnly: true } as const
  for (const order of [bid, closing, { ...bid, replaces: orderId }]) {
    assert.equal(resultOf(rig, rig.place(order)), Result.WalletStopped)
  }
  let items: number[] = []
  rig.bulk(() => {
    items = [rig.place(bid), rig.cancel(stopped, orderId)]
  })
  const events = rig.run().events()
  const results = items.map(
    (request) =>
      events.find(
        ({ type, fields }) => type === EventType.Outcome && fields['request'] === request,
      )!.fields['result'],
  )
  assert.deepEqual(results, [Result.WalletStopped, Result.CanceledOnRequest])
})

test('a stopped wallet cannot change its margin mode or withdraw', () => {
  const { rig } = stoppedRig()
  const mode = rig.marginMode(stopped, MarginMode.Portfolio)
  assert.equal(resultOf(rig, mode), Result.WalletClosed)
  assert.equal(resultOf(rig, withdrawOf(rig, stopped, 10).request), Result.NotWithdrawable)
})

test('other wallets trade on, also with resting orders of the stopped wallet', () => {
  const { rig } = stoppedRig()
  assert.equal(rig.state.haltModeOf(0), HaltMode.Open)
  rig.place({ wallet: 4, side: 'Sell', price: '90', size: '2', tif: 'ioc' })
  rig.run()
  const exposure = rig.state.risk.findExposure(stopped - 1, 0)
  assert.equal(rig.state.risk.exposures.positionLots[exposure], 3e8)
})

test('a resumed wallet trades again, and a second resume changes nothing', () => {
  const { rig } = stoppedRig()
  assert.equal(resultOf(rig, rig.stopWallet(stopped, false)), Result.Accepted)
  assert.equal(resultOf(rig, rig.place(bid)), Result.Accepted)
  const { version } = rig.state.walletStops
  assert.equal(resultOf(rig, rig.stopWallet(stopped, false)), Result.Accepted)
  assert.equal(rig.state.walletStops.version, version)
  assert.equal(resultOf(rig, rig.stopWallet(77)), Result.NotFound)
})

test('the stop is published, saved, hashed and replayed', () => {
  const { rig } = stoppedRig()
  const open = tradedRig()
  open.place(bid)
  open.run()
  open.tick()
  open.run()
  assert.notEqual(open.state.hash.low, rig.state.hash.low)
  const copy = new CoreRig()
  copy.restore(rig.save())
  assert.ok(copy.state.walletStops.has(stopped - 1))
  assert.deepEqual({ ...copy.state.hash }, { ...rig.state.hash })
  const other = new CoreRig()
  for (const batch of rig.batches) other.replay(batch)
  assert.deepEqual({ ...other.state.hash }, { ...rig.state.hash })
  rig.stopWallet(stopped, false)
  rig.stopWallet(stopped)
  const account = new AccountEvent()
  const stops: number[] = []
  rig.run().eventsFor((event) => {
    if (event.recordType === EventType.Account) stops.push(account.of(event).stopped)
  })
  assert.deepEqual(stops, [0, 1])
})

test('requests and live quotes of a stopped wallet end, and those of others stay', () => {
  const rig = new RfqRig().openCombos()
  rig.submit({ id: 1, legs: spread })
  rig.submit({ id: 2, legs: spread, wallet: 4 })
  for (const id of [1, 2]) {
    rig.quote({ id, provider: 2, legs: spread, prices: [6900, 3300] })
    rig.quote({ id, provider: 3, legs: spread, prices: [6950, 3300] })
  }
  rig.story()
  rig.stopWallet(taker)
  assert.deepEqual(rig.story(), ['rfq 1 failed WalletStopped'])
  rig.stopWallet(2)
  assert.deepEqual(rig.story(), ['Withdrawn 2 at -3600 WalletStopped'])
  const asked = rig.submit({ id: 3, legs: spread })
  assert.deepEqual(rig.story(), [`${asked}: WalletStopped`])
  const quoted = rig.quote({ id: 2, provider: 2, legs: spread, prices: [6900, 3300] })
  assert.deepEqual(rig.story(), [`${quoted}: WalletStopped`])
  const accepted = rig.accept(2, rig.quotes.at(-1), { wallet: 4 })
  assert.match(rig.story().at(-1)!, new RegExp(`^${accepted}: Accepted`))
})

test('an order of a stopped wallet that waits for quotes is canceled, and a stopped provider is not invited', () => {
  const rig = new AuctionRig().openAuctions()
  rig.ask(rowsOf(3290))
  rig.story()
  rig.stopWallet(taker)
  const lines = rig.story()
  assert.ok(lines.includes(`order of ${taker} CANCELED WalletStopped`), lines.join(', '))
  rig.stopWallet(taker, false)
  rig.stopWallet(2)
  rig.story()
  rig.ask(rowsOf(3290))
  const invited = rig.story().filter((line) => line.startsWith('Invited'))
  assert.deepEqual(invited, ['Invited 3'])
})
