import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Router } from '../../../gateway/http/router.js'
import { servedPaths } from '../../../gateway/http/served-paths.js'
import { Compressor } from '../../../gateway/transport/compressor.js'
import { Fault } from '../../../gateway/wire/fault.js'
import { Result } from '../../../schemas/results.js'
import { httpCall } from '../../support/http-call.js'
import { hubRig } from '../../support/hub-rig.js'
import { quietStatus } from '../../support/quiet-status.js'

// The specified route table, each with what an error of its adds to
// `{code, message, error}`: `bare` nothing (E3 to E5), `success` (E1, E6, single rows), `data` (E2) that as well.

const reads = {
  '/orders': 'success',
  '/orders/status': 'success',
  '/fills': 'success',
  '/trades': 'success',
  '/trades/7': 'success',
  '/authorized-agents': 'bare',
  '/user-tier': 'data',
  '/self-trade-prevention': 'data',
  '/username': 'bare',
  '/profile': 'data',
  '/profile/realized-pnl': 'data',
  '/profile/trades': 'success',
  '/profile/historical-pnl': 'data',
  '/historical-pnl': 'data',
  '/markets': 'success',
  '/instruments': 'bare',
  '/instrument-specs': 'bare',
  '/options-summary': 'bare',
  '/orderbook': 'bare',
  '/historical-theos': 'data',
  '/historical-theos/batch': 'data',
  '/portfolio': 'data',
  '/risk/grid': 'data',
  '/settlement-payouts': 'success',
  '/liquidations': 'success',
  '/liquidation/history': 'success',
  '/liquidation/status': 'data',
  '/mmp-config': 'data',
  '/exchange-info': 'bare',
  '/rate-limits': 'data',
  '/actions/outcome': 'data',
  '/orders/why': 'data',
  '/rfq': 'bare',
  '/rfq/7': 'bare',
  '/fees': 'bare',
  '/competitions': 'success',
  '/competitions/7': 'success',
  '/leaderboard': 'success',
  '/competition-metric-ranks': 'success',
  '/competition/summary': 'success',
  '/competition/leaderboard': 'success',
  '/competition/account': 'success',
  '/referrals/binding': 'bare',
  '/referrals/code': 'bare',
  '/referrals/code/7': 'bare',
  '/referrals/referred': 'bare',
  '/v1/withdrawals': 'bare',
  '/v1/directives/7': 'bare',
  '/v1/transfers': 'success',
} as const
const writes = {
  'POST /order': 'bare',
  'PUT /order': 'bare',
  'DELETE /order': 'bare',
  'POST /order/debug': 'bare',
  'DELETE /order_cloid': 'data',
  'POST /bulk_order': 'bare',
  'PUT /bulk_order': 'bare',
  'DELETE /bulk_order': 'bare',
  'DELETE /bulk_order_cloid': 'bare',
  'POST /perp-order': 'bare',
  'POST /orders': 'bare',
  'POST /orders/cancel': 'bare',
  'POST /approve-agent': 'success',
  'DELETE /revoke-agent': 'success',
  'DELETE /revoke-all-agents': 'success',
  'POST /margin-mode': 'data',
  'POST /user-tier': 'data',
  'POST /self-trade-prevention': 'data',
  'POST /submitUsernameRequest': 'data',
  'POST /cancel-all': 'data',
  'POST /dead-man': 'data',
  'POST /withdraw/usdc': 'success',
  'POST /push/subscribe': 'data',
  'POST /push/unsubscribe': 'data',
  'POST /push/preferences': 'data',
  'POST /settlement-payouts/seen': 'success',
  'POST /liquidation/standard-margin': 'data',
  'POST /mmp-config': 'data',
  'DELETE /mmp-config': 'data',
  'POST /mmp-config/reset': 'data',
  'POST /referrals/code': 'bare',
  'POST /referrals/set-referrer': 'bare',
  'POST /rfq/request': 'bare',
  'POST /rfq/accept': 'bare',
  'POST /v1/actions/hl_limit_order': 'bare',
  'POST /v1/actions/hl_cancel_by_oid': 'bare',
  'POST /v1/actions/hl_cancel_by_cloid': 'bare',
  'POST /v1/actions/hl_set_abstraction': 'bare',
  'POST /v1/actions/hc_update_api_wallet': 'bare',
  'POST /faucet': 'bare',
} as const
/** A read by its body: neither signed nor, like other reads, asked by GET. */
const preview = '/risk/simulate/orders'
/** Path for wallets that add the signing chain. It is outside the interface, like the pages. */
const chainRpc = 'POST /app/chain-rpc'
const service = ['/', '/health', '/version', '/ready']
const notReady = new Fault(Result.NotReady)

/** The routes of a gateway that refuses reads and writes alike, and what it answers. */
function refusing() {
  const rig = hubRig()
  const asked: string[] = []
  const routes = servedPaths({
    context: {
      ...rig.context,
      refusesWrites: () => notReady,
      queryHistory: async (path) => {
        asked.push(path)
        return { status: 200, body: '{}' }
      },
    },
    reads: rig.reads,
    degraded: () => [],
    status: () => quietStatus,
    compressor: new Compressor(),
    components: () => [],
    documents: new Map(),
    refusesReads: () => notReady,
  })
  const router = new Router(routes)
  const send = (method: string, path: string) => {
    let answer = { status: 0, body: {} as Record<string, unknown> }
    const call = httpCall(method, path, Buffer.from('{}'), ({ status, text }) => {
      answer = { status, body: JSON.parse(text || '{}') }
    })
    router.route(call)
    return answer
  }
  return { routes, send, asked }
}

function envelopeOf({ code: _, message: __, error: ___, ...more }: Record<string, unknown>) {
  const text = JSON.stringify(more)
  if (text === '{}') return 'bare'
  if (text === '{"success":false}') return 'success'
  return text === '{"success":false,"data":null}' ? 'data' : text
}

test('every path of the table is served by its methods, and no other', () => {
  const wanted = new Map<string, string[]>()
  const add = (method: string, path: string) =>
    wanted.set(path, [...(wanted.get(path) ?? []), method].sort())
  for (const path of [...Object.keys(reads), ...service]) add('GET', path.replace(/7$/, ''))
  for (const route of [...Object.keys(writes), `POST ${preview}`, chainRpc]) {
    const [method, path] = route.split(' ') as [string, string]
    add(method, path)
  }
  const served = [...refusing().routes].map(
    ([path, operations]) => [path, Object.keys(operations).sort()] as const,
  )
  assert.deepEqual(new Map(served), wanted)
})

test('an error of the gateway uses the envelope of its endpoint', () => {
  const { send } = refusing()
  const all = [
    ...Object.entries(reads).map(([path, envelope]) => ['GET', path, envelope] as const),
    ...Object.entries(writes).map(([route, envelope]) => {
      const [method, path] = route.split(' ') as [string, string]
      return [method, path, envelope] as const
    }),
    ['POST', preview, 'data'] as const,
  ]
  for (const [method, path, envelope] of all) {
    const { status, body } = send(method, path)
    assert.equal(status, 503, `${method} ${path}`)
    assert.equal(body['code'], 'not_ready', `${method} ${path}`)
    // Older clients read the code as `error`.
    assert.equal(body['error'], 'not_ready', `${method} ${path}`)
    assert.ok(String(body['message']).length > 0, `${method} ${path}`)
    assert.equal(envelopeOf(body), envelope, `${method} ${path}`)
  }
})

test('a removed path is not found with any method, and a wrong method fails in the same words', () => {
  const { send, routes } = refusing()
  const methods = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH']
  for (const path of ['/candles', '/profile/image', '/limit_iv', '/profile/username-request']) {
    assert.equal(routes.has(path), false, path)
    for (const method of methods) assert.equal(send(method, path).status, 404, `${method} ${path}`)
  }
  const paths = [...routes].filter(([path]) => !path.endsWith('/') || path === '/')
  for (const [path, operations] of paths) {
    for (const method of methods) {
      if (Object.hasOwn(operations, method === 'HEAD' ? 'GET' : method)) continue
      const { status, body } = send(method, path)
      assert.equal(status, 405, `${method} ${path}`)
      if (method === 'HEAD') continue
      assert.deepEqual([body['code'], body['error']], ['method_not_allowed', 'method_not_allowed'])
      assert.ok(String(body['message']).length > 0, `${method} ${path}`)
    }
  }
})

test('HEAD is answered wherever GET is, and no read accepts another method', () => {
  const { send } = refusing()
  for (const path of [...Object.keys(reads), ...service]) {
    assert.equal(send('HEAD', path).status, send('GET', path).status, path)
    assert.equal(send('PATCH', path).status, 405, path)
  }
  assert.equal(send('GET', preview).status, 405)
})

test('internal queries of the gateways to the history store are not public', () => {
  const { send, asked } = refusing()
  for (const path of ['/settlement-payouts/owned', '/payouts-owned', 'payouts-owned']) {
    assert.deepEqual([send('GET', path).status, send('HEAD', path).status], [404, 404], path)
    for (const method of ['POST', 'PUT', 'DELETE']) {
      const { status, body } = send(method, path)
      assert.deepEqual([status, body['code']], [400, 'unsupported_endpoint'], `${method} ${path}`)
    }
  }
  assert.deepEqual(asked, [])
})
