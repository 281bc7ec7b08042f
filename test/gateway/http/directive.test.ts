import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { type DirectiveTerms, signDirective } from '../../../gateway/client/directives.js'
import {
  InstrumentState,
  neverMillis,
  OrderFlag,
  OrderStatus,
  Tif,
} from '../../../schemas/domain.js'
import { CommandType } from '../../../schemas/generated/commands.js'
import {
  AgentChange,
  InstrumentChange,
  OutcomeFlag,
  PerpScheme,
} from '../../../schemas/record-values.js'
import { Result } from '../../../schemas/results.js'
import { directiveIdOf, formatUuid } from '../../../schemas/uuid.js'
import { agent, type GatewayRig, nextNonce, owner, startRig } from '../../support/gateway-rig.js'

const domain = { name: 'Strikebook', version: '1', chainId: 31_337 }
const context = { domain, signer: owner, wallet: owner.address }
const order: DirectiveTerms['hl_limit_order'] = {
  ...{ asset: 7, isBuy: false, limitPx: 10n ** 13n, sz: 50_000_000 },
  ...{ reduceOnly: true, encodedTif: 1, cloid: 10 },
}
const name = `0x${'6b'.repeat(32)}`
const zero = `0x${'0'.repeat(40)}`

let rig: GatewayRig

before(async () => {
  rig = await startRig()
  const { Active } = InstrumentState
  rig.core.script.instrument(6, 'BTC-PERP', 0, neverMillis, InstrumentChange.Created, Active)
  rig.core.tell()
})
beforeEach(() => {
  rig.core.decide = () => ({ instrument: 6 })
  rig.core.seen.length = 0
})
after(() => rig.stop())

async function send<Key extends keyof DirectiveTerms>(
  key: Key,
  terms: DirectiveTerms[Key],
  by: typeof context = context,
  to = rig,
) {
  return post(key, signDirective(by, key, terms, nextNonce()), to)
}

async function post(key: string, body: object, to = rig) {
  const response = await to.request('POST', `/v1/actions/${key}`, body)
  const { status, headers } = response
  return { status, headers, value: JSON.parse(await response.text()) }
}

test('an order reaches the core as an order of the perp, marked as a directive', async () => {
  const { status, headers, value } = await send('hl_limit_order', order)
  assert.equal(status, 200)
  assert.equal(headers.get('x-ratelimit-limit'), '60', 'it counts as a placement')
  const [command] = rig.core.seen
  assert.deepEqual([command!.type, command!.wallet], [CommandType.PlaceOrder, owner.address])
  assert.deepEqual([command!.perp, command!.scheme], [[6, 0], PerpScheme.Directive])
  assert.deepEqual([command!.priceMicros, command!.sizeLots], [100_000_000_000, 50_000_000])
  assert.deepEqual([command!.tif, command!.flags], [Tif.Alo, OrderFlag.ReduceOnly])
  assert.equal(command!.clientId, `0x${'0'.repeat(31)}a`)
  const id = directiveIdOf(Buffer.from(command!.digest, 'hex'), 0)
  assert.equal(value.directiveId, formatUuid(id, 0))
  assert.deepEqual([value.stage, value.orderStatus, value.fills], ['submitted', 'ACKED', []])
})

test('cancels count as placements, too, and name an order of the perp', async () => {
  rig.core.decide = () => ({ instrument: 6, status: OrderStatus.Canceled, result: -3023 })
  const byId = await send('hl_cancel_by_oid', { asset: 7, oid: 12 })
  assert.equal(byId.headers.get('x-ratelimit-limit'), '60')
  assert.deepEqual([byId.value.orderStatus, byId.value.rejection], ['CANCELED', null])
  await send('hl_cancel_by_cloid', { asset: 7, cloid: 10 })
  const [first, second] = rig.core.seen
  assert.deepEqual([first!.type, first!.cancelOrderId], [CommandType.CancelOrder, 12])
  assert.deepEqual([second!.type, second!.perp], [CommandType.CancelByClientId, [6, 0]])
  assert.equal(second!.cancelClientId, `0x${'0'.repeat(31)}a`)
})

test('settings reach the core as their own commands', async () => {
  await send('hc_update_api_wallet', { name, addr: agent.address })
  await send('hl_set_abstraction', { user: owner.address, abstraction: 2 })
  const types = rig.core.seen.map(({ type }) => type)
  assert.deepEqual(types, [CommandType.UpdateApiWallet, CommandType.SetAbstraction])
  assert.ok(rig.core.seen.every(({ signer, wallet }) => signer === wallet))
})

test('settings signed by another than the owner never reach the core', async () => {
  rig.core.script.agent(AgentChange.Approved, 0, owner.address, agent.address)
  rig.core.tell()
  const byAgent = { ...context, signer: agent }
  const refused = await send('hc_update_api_wallet', { name, addr: agent.address }, byAgent)
  assert.deepEqual([refused.status, refused.value.code], [401, 'unauthorized'])
  assert.equal(rig.core.seen.length, 0)
  const { value } = await send('hl_limit_order', order, byAgent)
  assert.deepEqual([value.stage, value.recoveredSigner], ['submitted', agent.address])
})

test('an unknown signer gets the hashed content, with the domain of directives', async () => {
  rig.core.decide = () => ({ result: Result.Unauthorized })
  const stranger = { ...context, domain: { ...domain, name: 'Other' } }
  const { status, value } = await send('hl_limit_order', order, stranger)
  assert.equal(status, 401)
  assert.deepEqual(
    [value.details.layout, value.details.domain.name],
    ['HLOrder', 'StrikebookApiSign'],
  )
  assert.equal(value.details.fields.action.limitPx, '10000000000000')
})

test('margin and funds are a risk error, and other reasons have their own text', async () => {
  for (const [result, code] of [
    [Result.InsufficientMargin, 'risk_rejected'],
    [Result.NakedShortCalls, 'risk_rejected'],
    [Result.InsufficientCash, 'risk_rejected'],
    [Result.NoFunds, 'risk_rejected'],
    [Result.TradingHalted, 'trading_halted'],
    [Result.PostOnlyWouldTrade, 'post_only_would_trade'],
    [Result.NonceUsed, 'nonce_used'],
    [Result.PerpMissingUnderlying, 'perp_missing_underlying'],
  ] as const) {
    rig.core.decide = () => ({ result })
    const { status, value } = await send('hl_limit_order', order)
    assert.deepEqual([status, value.stage, value.fills], [200, 'rejected', null])
    assert.equal(value.rejection.code, code)
    assert.ok(value.rejection.message.length > 0)
    assert.equal('orderId' in value, false)
  }
  rig.core.decide = () => ({ result: Result.LimitExceeded })
  const capped = await send('hc_update_api_wallet', { name, addr: agent.address })
  assert.deepEqual([capped.status, capped.value.code], [403, 'limit_exceeded'])
})

test('a duplicate gets its fills from the history', async () => {
  rig.core.decide = () => ({
    ...{ instrument: 6, status: OrderStatus.Filled, filledLots: 50_000_000, orderId: 31 },
    outcomeFlags: OutcomeFlag.Repeat,
    details: [5, 1_700_000_000_000],
  })
  const asked: string[] = []
  const historyStatus = (text: string) => {
    asked.push(text)
    return 503
  }
  const own = await startRig({}, { historyStatus })
  own.core.decide = rig.core.decide
  const { status } = await send('hl_limit_order', order, context, own)
  await own.stop()
  assert.equal(status, 503, 'the answer of the history')
  assert.match(asked[0]!, /^order_id=31&time=1700000000000$/)
})

test('a full ring leaves no pending request', async () => {
  rig.core.isStalled = true
  const own = rig.request('POST', '/v1/actions/hl_limit_order', {})
  assert.equal((await own).status, 400)
  rig.core.isStalled = false
  const { value } = await send('hl_limit_order', order)
  assert.equal(value.stage, 'submitted')
})

test('no window of the account prevents its owner from removing an API wallet', async () => {
  const nowMillis = Date.now() // does not pass: the full window stays full
  const full = await startRig(
    { 'limits.default.ordersPerMinute': '1' },
    { nowMillis: () => nowMillis },
  )
  try {
    assert.equal((await send('hl_limit_order', order, context, full)).status, 200)
    const refused = await send('hl_limit_order', order, context, full)
    assert.deepEqual([refused.status, refused.value.code], [429, 'rate_limit_exceeded'])
    const removed = await send('hc_update_api_wallet', { name, addr: zero }, context, full)
    assert.equal(removed.value.stage, 'submitted')
  } finally {
    await full.stop()
  }
})
