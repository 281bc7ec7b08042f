import assert from 'node:assert/strict'
import { test } from 'node:test'
import { engineConfigDefault } from '../../../../engine/state/market/engine-config.js'
import { lotsPerContract, sizeLotsMax } from '../../../../schemas/bounds.js'
import { HaltMode, RfqKind, Right, Tier, TradingMode } from '../../../../schemas/domain.js'
import { CommandType } from '../../../../schemas/generated/commands.js'
import { Result } from '../../../../schemas/results.js'
import { call100k, call110k, RfqRig, spread, taker } from '../../../support/rfq-rig.js'

const one = [[call100k, 1]] as const

test('a request goes to all connected providers except the taker', () => {
  const rig = new RfqRig().openCombos()
  const asked = rig.submit({ id: 1, legs: spread, wallet: 2 })
  assert.deepEqual(rig.story(), [
    'rfq 1 created',
    'Invited 3',
    'rfq 1 sent_to_qps',
    `${asked}: Accepted sent_to_qps`,
  ])
})

test('without a connected provider the request ends at once', () => {
  const rig = new RfqRig().openCombos()
  rig.leaveProvider(2, 0)
  rig.leaveProvider(3, 1)
  const asked = rig.submit({ id: 1, legs: spread })
  assert.deepEqual(rig.story(), [
    'rfq 1 created',
    'rfq 1 no_quotes RfqNoProvider',
    `${asked}: Accepted no_quotes`,
  ])
})

test('a duplicate request gets the first answer, and invites nobody', () => {
  const rig = new RfqRig().openCombos()
  rig.submit({ id: 1, legs: spread }, { nonce: 5 })
  rig.story()
  const again = rig.submit({ id: 1, legs: spread }, { nonce: 5 })
  assert.deepEqual(rig.story(), [`${again}: Accepted again sent_to_qps`])
  const other = rig.submit({ id: 2, legs: spread }, { nonce: 5, digest: 6 })
  assert.deepEqual(rig.story(), [`${other}: NonceUsed`])
})

test('an id works once for all wallets, also after the end of its request', () => {
  const rig = new RfqRig().openCombos()
  rig.submit({ id: 1, legs: spread })
  rig.story()
  const mine = rig.submit({ id: 1, legs: one })
  const theirs = rig.submit({ id: 1, legs: one, wallet: 4 })
  assert.deepEqual(rig.story(), [`${mine}: RfqIdUsed`, `${theirs}: RfqIdUsed`])
  rig.after(5001)
  const late = rig.submit({ id: 1, legs: one })
  assert.deepEqual(rig.story(), [`${late}: RfqIdUsed`])
})

test('a failed request leaves nothing: its nonce and its id are free', () => {
  const rig = new RfqRig().openCombos()
  rig.halt(HaltMode.CancelOnly, 'BTC')
  const hash = () => rig.run().state.cells.uncounted()
  const before = hash()
  const refused = rig.submit({ id: 1, legs: spread }, { nonce: 5 })
  assert.deepEqual(rig.story(), [`${refused}: CancelOnly`])
  assert.deepEqual(hash(), before)
  rig.halt(HaltMode.Open, 'BTC')
  rig.submit({ id: 1, legs: spread }, { nonce: 5 })
  assert.match(rig.story().at(-1)!, /Accepted sent_to_qps/)
})

test('a signer who may not act for the wallet learns nothing about it', () => {
  const rig = new RfqRig().openCombos()
  const stranger = rig.submit({ id: 1, legs: spread }, { signer: 9 })
  const unknown = rig.submit({ id: 1, legs: spread, wallet: 99 })
  assert.deepEqual(rig.story(), [`${stranger}: Unauthorized`, `${unknown}: NoAccount`])
})

test('legs are of one underlying, each instrument once, with sizes', () => {
  const rig = new RfqRig().openCombos()
  rig.list({ underlying: 'ETH', strike: 3000 })
  const mixed = rig.submit({ id: 1, legs: [...one, [{ underlying: 'ETH', strike: 3000 }, 1]] })
  const twice = rig.submit({ id: 1, legs: [...one, [call100k, -1]] })
  const empty = rig.submit({ id: 1, legs: [] })
  const nothing = rig.submit({ id: 1, legs: [[call100k, 0]] })
  const refused = [mixed, twice, empty, nothing].map((request) => `${request}: ValueRefused`)
  assert.deepEqual(rig.story(), refused)
})

test('a size is at most that of an order, and a request is not an auction', () => {
  const rig = new RfqRig().openCombos()
  const most = sizeLotsMax / lotsPerContract
  const large = rig.submit({ id: 1, legs: [[call100k, most]] })
  const larger = rig.submit({ id: 2, legs: [[call100k, most + 1e-8]] })
  const auction = rig.submit({ id: 3, legs: one, kind: RfqKind.Auction })
  const lines = rig.story()
  assert.ok(lines.includes(`${large}: Accepted sent_to_qps`))
  assert.ok(lines.includes(`${larger}: ValueRefused`))
  assert.ok(lines.includes(`${auction}: ValueRefused`))
})

test('a leg needs an instrument that trades by requests, not only in its book', () => {
  const rig = new RfqRig().openCombos()
  rig.state.instruments.tradingMode[1] = TradingMode.Orderbook
  const refused = rig.outcome(rig.submit({ id: 1, legs: spread }))
  assert.deepEqual([refused['result'], refused['detail0']], [Result.RfqNotServed, 1])
  rig.submit({ id: 1, legs: one })
  assert.match(rig.story().at(-1)!, /Accepted/)
})

/** A wallet that is long of two calls, one of which it offers on the book. */
function holder(): RfqRig {
  const rig = new RfqRig().openCombos()
  const legs = [[call100k, 2]] as const
  rig.submit({ id: 1, legs })
  rig.quote({ id: 1, provider: 2, legs, prices: [6900] })
  rig.story()
  rig.accept(1)
  rig.place({ wallet: taker, side: 'Sell', price: '9000', size: '1', instrument: call100k })
  rig.story()
  return rig
}

test('a long-only wallet may request to sell its position, less its working sells', () => {
  const rig = holder()
  rig.tier(taker, Tier.Tier1)
  const refused = rig.outcome(rig.submit({ id: 2, legs: [[call100k, -1.00000001]] }))
  assert.equal(refused['result'], Result.TierLongOnly)
  assert.deepEqual([refused['detail0'], refused['detail1']], [2e8, 1e8])
  rig.submit({ id: 2, legs: [[call100k, -1]] })
  assert.match(rig.story().at(-1)!, /Accepted/)
})

test('a wallet without cash may request only to close', () => {
  const rig = holder()
  rig.state.risk.creditCash(0, -rig.state.risk.cashMicros[0]!)
  const opening = rig.submit({ id: 2, legs: one })
  const closing = rig.submit({ id: 3, legs: [[call100k, -1]] })
  const lines = rig.story()
  assert.ok(lines.includes(`${opening}: NoFunds`))
  assert.ok(lines.includes(`${closing}: Accepted sent_to_qps`))
})

test('a positive limit of several legs that contradicts the marks fails', () => {
  const rig = new RfqRig().openCombos()
  const turned = [
    [call110k, 1],
    [call100k, -1],
  ] as const
  const refused = rig.submit({ id: 1, legs: turned, limit: 3500 })
  assert.deepEqual(rig.story(), [`${refused}: RfqLimitContradicts`])
  const asNet = rig.submit({ id: 1, legs: turned, limit: -3500 })
  assert.equal(rig.story().at(-1), `${asNet}: Accepted sent_to_qps`)
})

test('the first check that fails is the reason', () => {
  const rig = new RfqRig().openCombos()
  const unlisted = [[{ strike: 99_000 }, 1]] as const
  const reasonOf = (request: number) => rig.outcome(request)
  assert.equal(reasonOf(rig.submit({ id: 1, legs: unlisted }))['detail0'], 1)
  const perp = { expiryDate: 0, strike: 0, right: Right.None }
  rig.list(perp)
  assert.equal(reasonOf(rig.submit({ id: 1, legs: [[perp, 1]] }))['result'], Result.RfqNotServed)
  rig.tier(4, Tier.Tier1)
  const short = { id: 1, legs: spread, wallet: 4 }
  const tier = reasonOf(rig.submit(short))
  assert.equal(tier['result'], Result.TierLongOnly)
  assert.equal(tier['detail2'], 1e8)
  rig.deposit(5, 1)
  rig.run().state.risk.creditCash(4, -1_000_000)
  assert.equal(reasonOf(rig.submit({ ...short, wallet: 5 }))['result'], Result.NoFunds)
  rig.halt(HaltMode.Halted, 'BTC')
  assert.equal(reasonOf(rig.submit({ id: 1, legs: unlisted }))['result'], Result.TradingHalted)
})

test('the number of open requests of a wallet is limited', () => {
  const rfq = { ...engineConfigDefault.rfq, maxOpenPerWallet: 2 }
  const rig = new RfqRig({ rfq }).openCombos()
  for (const id of [1, 2]) rig.submit({ id, legs: one })
  rig.story()
  const refused = rig.outcome(rig.submit({ id: 3, legs: one }))
  assert.deepEqual([refused['result'], refused['detail0']], [Result.RfqLimit, 2])
  rig.submit({ id: 3, legs: one, wallet: 4 })
  assert.match(rig.story().at(-1)!, /Accepted/)
  rig.after(5001)
  rig.submit({ id: 4, legs: one })
  assert.match(rig.story().at(-1)!, /Accepted/)
})

test('revoking an agent ends its requests and its quotes', () => {
  const rig = new RfqRig().openCombos()
  rig.agent(CommandType.ApproveAgent, taker, 71)
  rig.agent(CommandType.ApproveAgent, 2, 72)
  rig.submit({ id: 1, legs: one, limit: 10 }, { signer: 71 })
  rig.submit({ id: 2, legs: one })
  rig.submit({ id: 3, legs: one })
  rig.quote({ id: 2, provider: 2, legs: one, prices: [7000] }, { signer: 72 })
  rig.quote({ id: 3, provider: 2, legs: one, prices: [7000] })
  rig.quote({ id: 2, provider: 3, legs: one, prices: [7000] })
  rig.story()
  rig.agent(CommandType.RevokeAgent, taker, 71)
  assert.deepEqual(rig.story(), ['rfq 1 failed AgentRevoked'])
  rig.agent(CommandType.RevokeAllAgents, 2, 0)
  assert.deepEqual(rig.story(), ['Withdrawn 2 at -7000 AgentRevoked'])
  assert.equal([...rig.state.orders.working()].length, 0)
})
