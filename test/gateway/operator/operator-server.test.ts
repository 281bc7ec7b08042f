import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, beforeEach, test } from 'node:test'
import { engineConfigDefault } from '../../../engine/state/market/engine-config.js'
import { RestClient } from '../../../gateway/client/rest-client.js'
import { AuditLog } from '../../../gateway/operator/audit-log.js'
import { livezAnswer, readyzAnswer } from '../../../gateway/operator/health.js'
import { approvalsFile, KeptRequests } from '../../../gateway/operator/kept-requests.js'
import { OperatorPort } from '../../../gateway/operator/operator-port.js'
import {
  type OperatorServerOptions,
  startOperatorServer,
} from '../../../gateway/operator/operator-server.js'
import { OperatorTokens } from '../../../gateway/operator/operator-tokens.js'
import { SharedValue } from '../../../gateway/read-model/views/shared-value.js'
import { VenueHealth } from '../../../gateway/read-model/views/venue-health.js'
import type { HaltBoard } from '../../../gateway/read-model/views/venue-views.js'
import { loadTransports } from '../../../gateway/transport/transports.js'
import { ClockAlarm, HaltMode, Right, Tier } from '../../../schemas/domain.js'
import {
  type AnyCommand,
  CommandType,
  DepositCommand,
  IndexPricesCommand,
  ListInstrumentCommand,
  SetHaltCommand,
  SetTierCommand,
  SettlementPriceCommand,
  VolSurfaceCommand,
} from '../../../schemas/generated/commands.js'
import { OutcomeFlag } from '../../../schemas/record-values.js'
import { Result } from '../../../schemas/results.js'
import { formatAddress, isZeroAddress } from '../../../schemas/wallet.js'
import { haltBoard } from '../../support/halt-board.js'
import { OperatorCore } from '../../support/operator-core.js'

const wallet = '0x00000000000000000000000000000000000000Aa'
const nowMillis = 1_800_000_000_000
const steady = { alarm: ClockAlarm.None, aheadMillis: 0 }
const core = new OperatorCore()
const port = new OperatorPort(core.memory)
const health = new VenueHealth(core.memory, engineConfigDefault.pricing, () => nowMillis)
const folder = mkdtempSync(join(tmpdir(), 'strikebook-operator-'))
const audit = await AuditLog.open(folder, {
  isFlushed: false,
  fileBytesMax: 2 ** 26,
  nowMillis: () => nowMillis,
  onNote: () => {},
})
const keptRequests = new KeptRequests(join(folder, approvalsFile))
const options: OperatorServerOptions = {
  host: '127.0.0.1',
  port: 0,
  transports: await loadTransports('auto'),
  tokens: new OperatorTokens('secret'),
  audit,
  approvalMillis: 0,
  keptRequests,
  sender: port,
  onRefused: () => {},
  context: {
    underlyings: { NVDA: { expiryTimeUtc: '20:00' } },
    isProduction: false,
    nowMillis: () => nowMillis,
    wallMillis: () => nowMillis + 5000,
  },
  openPages: {
    '/readyz': () => readyzAnswer(core.memory, health),
    '/livez': () => livezAnswer([], steady, []),
  },
  reads: { '/operator/state': () => ({ status: 200, body: '{"a":1}' }) },
}
const server = await startOperatorServer(options)
const rest = new RestClient({ url: server.url, token: 'secret' })

after(() => {
  server.close()
  port.close()
  core.close()
  rmSync(folder, { recursive: true })
})

beforeEach(() => {
  core.verdict = {}
  core.seen.length = 0
})

function post(path: string, body: unknown): Promise<Record<string, unknown>> {
  return rest.request('POST', `/operator/${path}`, { body })
}

/** The one command that has reached the core. */
function seen<C extends { of(record: AnyCommand): C }>(cursor: C): C {
  assert.equal(core.seen.length, 1)
  return cursor.of(core.seen[0]!)
}

/** Code and message of the refusal of a body; nothing may have reached the core. */
async function refusal(path: string, body: unknown): Promise<string> {
  try {
    await post(path, body)
  } catch (error) {
    assert.equal(core.seen.length, 0, 'a refused body reached the core')
    const { status, code, message } = error as { status: number; code: string; message: string }
    return `${status} ${code}: ${message}`
  }
  return 'accepted'
}

test('a deposit becomes a command with wallet, micros and id, and no signed content', async () => {
  const answer = await post('deposits', { wallet, amount: '12.5', deposit_id: 'first' })
  assert.deepEqual(answer, {
    ok: true,
    seq: core.seq,
    timestamp: 1000,
    result: 'DEPOSIT_CREDITED',
    changed: true,
    wallet: wallet.toLowerCase(),
    amount: '12.5',
    deposit_id: 'first',
  })
  const command = seen(new DepositCommand())
  assert.equal(command.recordType, CommandType.Deposit)
  assert.equal(formatAddress(command.u8, command.walletAt), wallet.toLowerCase())
  assert.equal(command.amountMicros, 12_500_000)
  assert.equal(command.depositIdText, 'first')
  assert.ok(isZeroAddress(command.u8, command.signerAt))
  assert.deepEqual([command.nonceHigh, command.nonceLow], [0, 0])
})

test('a known deposit id is reported', async () => {
  core.verdict = { flags: OutcomeFlag.Repeat }
  const { result, changed } = await post('deposits', { wallet, amount: '1', deposit_id: 'x' })
  assert.deepEqual([result, changed], ['DEPOSIT_ALREADY_CREDITED', false])
})

test('invalid deposits fail in the gateway', async () => {
  const cases: [body: unknown, expected: string][] = [
    [{ amount: '1' }, '400 missing_field: Missing field: wallet'],
    [{ wallet: '0x12', amount: '1' }, '400 invalid_wallet: Invalid wallet: 0x12'],
    [{ wallet, amount: 1 }, '400 invalid_parameter: Invalid amount: must be a string'],
    [{ wallet, amount: '0' }, "400 invalid_field: Invalid amount: must be greater than 0 ('0')"],
    [
      { wallet, amount: '0.0000001' },
      "400 invalid_field: Invalid amount: has more than 6 decimals ('0.0000001')",
    ],
    [
      { wallet, amount: '9007199255' },
      "400 invalid_field: Invalid amount: is more than 9007199254.740991 ('9007199255')",
    ],
    [
      { wallet, amount: '1', deposit_id: 'x'.repeat(65) },
      '400 invalid_field: Invalid deposit_id: must be 1 to 64 printable ASCII characters',
    ],
    [
      { wallet, amount: '1', deposit_id: '' },
      '400 invalid_field: Invalid deposit_id: must be 1 to 64 printable ASCII characters',
    ],
    [[], '400 invalid_request: The body must be a JSON object'],
  ]
  for (const [body, expected] of cases) assert.equal(await refusal('deposits', body), expected)
})

test("a listing gets the time of day of its underlying, and the answer has the engine's name", async () => {
  core.verdict = { instrument: 3 }
  const answer = await post('instruments', { symbol: 'NVDA-30JUN26-150.50-P' })
  assert.equal(answer['result'], 'MARKET_CREATED')
  assert.equal(answer['symbol'], 'NVDA-20260630-150.5-P')
  assert.equal(answer['instrument_id'], 4)
  const { recordType, key, expiryMillis, tradingMode } = seen(new ListInstrumentCommand())
  assert.equal(recordType, CommandType.ListInstrument)
  assert.equal(key.underlyingText, 'NVDA')
  assert.equal(key.expiryDate, 20_260_630)
  assert.equal(key.right, Right.Put)
  assert.equal(key.strikeMicros, 150_500_000)
  assert.equal(expiryMillis, Date.UTC(2026, 5, 30, 20))
  assert.equal(tradingMode, 3)
})

test('an expiry in seconds overrides time and date outside production', async () => {
  const body = { symbol: 'BTC-20260630-100000-C', expiry: 1_800_000_100, trading_mode: 'rfq_only' }
  await post('instruments', body)
  const { expiryMillis, tradingMode } = seen(new ListInstrumentCommand())
  assert.deepEqual([expiryMillis, tradingMode], [1_800_000_100_000, 2])
})

test('in production an expiry stays on the date of its symbol', async () => {
  const context = { ...options.context, isProduction: true }
  const production = await startOperatorServer({ ...options, context })
  const client = new RestClient({ url: production.url, token: 'secret' })
  const symbol = 'BTC-20260630-100000-C'
  const list = (expiry: number) =>
    client.request('POST', '/operator/instruments', { body: { symbol, expiry } })
  await assert.rejects(list(Date.UTC(2026, 6, 1) / 1000), { code: 'invalid_field' })
  await list(Date.UTC(2026, 5, 30, 23, 59, 59) / 1000)
  production.close()
})

test('an existing listing, a delisting, and one with open positions have their answers', async () => {
  core.verdict = { flags: OutcomeFlag.Repeat, instrument: 5 }
  const again = await post('instruments', { symbol: 'BTC-20260630-100000-C' })
  assert.equal(again['result'], 'MARKET_ALREADY_EXISTS')
  const body = { symbol: 'BTC-20260630-100000-C' }
  core.verdict = { instrument: 5 }
  const gone = await rest.request<object>('DELETE', '/operator/instruments', { body })
  assert.ok('result' in gone && gone.result === 'MARKET_DELETED')
  core.verdict = { result: Result.PositionsOpen }
  await assert.rejects(rest.request('DELETE', '/operator/instruments', { body }), {
    status: 409,
    code: 'conflict',
  })
  core.verdict = { result: Result.NotFound }
  await assert.rejects(rest.request('DELETE', '/operator/instruments', { body }), { status: 404 })
})

test('unreadable symbols, trading modes and expiries fail', async () => {
  const symbol = 'BTC-20260630-100000-C'
  const cases: [body: unknown, code: string][] = [
    [{}, 'missing_field'],
    [{ symbol: 'BTC-20260631-1-C' }, 'invalid_field'],
    [{ symbol, expiry: '1800000100' }, 'invalid_parameter'],
    [{ symbol, expiry: 1.5 }, 'invalid_parameter'],
    [{ symbol, trading_mode: 'book' }, 'invalid_field'],
  ]
  for (const [body, code] of cases) {
    assert.match(await refusal('instruments', body), new RegExp(`^400 ${code}: `))
  }
})

test('index prices become one command, and a missing time means now', async () => {
  await post('index-prices', {
    prices: [
      { underlying: 'BTC', price: '100000.25', timestamp: 5 },
      { underlying: 'ETH', price: 3500.5 },
    ],
  })
  const command = seen(new IndexPricesCommand())
  assert.equal(command.recordType, CommandType.IndexPrices)
  assert.equal(command.count, 2)
  const { priceMicros, observedMillis } = command.entries(0)
  assert.deepEqual([priceMicros, observedMillis], [100_000_250_000, 5])
  const second = command.entries(1)
  assert.equal(second.underlyingText, 'ETH')
  assert.equal(second.priceMicros, 3_500_500_000)
  assert.equal(second.observedMillis, nowMillis)
})

test('a list with an invalid index price fails as a whole', async () => {
  const good = { underlying: 'BTC', price: '1' }
  const cases: [prices: unknown, code: string][] = [
    [undefined, 'missing_field'],
    [[], 'invalid_parameter'],
    [[good, 3], 'invalid_parameter'],
    [[good, { ...good, price: '0' }], 'invalid_field'],
    [[good, { ...good, price: '-1' }], 'invalid_field'],
    [[good, { ...good, underlying: 'btc' }], 'invalid_field'],
    [[good, { ...good, timestamp: -1 }], 'invalid_parameter'],
    [Array.from({ length: 65 }, () => good), 'invalid_parameter'],
  ]
  for (const [prices, code] of cases) {
    assert.match(await refusal('index-prices', { prices }), new RegExp(`^400 ${code}: `))
  }
})

test('a surface may have points or svi parameters', async () => {
  const points = [
    { strike: '110000', iv: '0.58' },
    { strike: 90_000, iv: 0.66 },
  ]
  await post('vol-surfaces', { underlying: 'NVDA', expiry: '2026-06-30', points })
  const surface = seen(new VolSurfaceCommand())
  assert.equal(surface.underlyingText, 'NVDA')
  assert.equal(surface.expiryMillis, Date.UTC(2026, 5, 30, 20))
  assert.deepEqual([surface.surfaceKind, surface.count], [0, 4])
  assert.deepEqual([...surface.valuesView(4)], [110_000, 0.58, 90_000, 0.66])
  core.seen.length = 0
  const svi = { a: 0.04, b: 0.1, rho: -0.3, m: 0, s: 0.2 }
  await post('vol-surfaces', { underlying: 'BTC', expiry: 1_800_000_000, svi })
  assert.equal(seen(surface).surfaceKind, 1)
  assert.deepEqual([...surface.valuesView(5)], [0.04, 0.1, -0.3, 0, 0.2])
})

test('every guard on a surface is named in its error', async () => {
  const svi = { a: 0.04, b: 0.1, rho: -0.3, m: 0, s: 0.2 }
  const point = { strike: '100', iv: '0.5' }
  const cases: [part: object, guard: string][] = [
    [{ svi: { ...svi, b: -0.1 } }, 'b_negative'],
    [{ svi: { ...svi, rho: 1 } }, 'rho_out_of_range'],
    [{ svi: { ...svi, s: 0 } }, 's_not_positive'],
    [{ svi: { ...svi, a: -1 } }, 'negative_variance'],
    [{ svi: { ...svi, b: 2 } }, 'wing_too_steep'],
    [{ points: [] }, 'points_empty'],
    [{ points: [point, { ...point, strike: '100.0' }] }, 'strikes_repeat'],
    [{ points: [{ ...point, iv: 21 }] }, 'iv_out_of_range'],
    [{ points: [{ ...point, iv: 0 }] }, 'iv_out_of_range'],
  ]
  for (const [part, guard] of cases) {
    const body = { underlying: 'BTC', expiry: 1_800_000_000, ...part }
    assert.match(await refusal('vol-surfaces', body), new RegExp(`^400 invalid_field: .*${guard}`))
  }
  const both = { underlying: 'BTC', expiry: 1_800_000_000, svi, points: [point] }
  assert.match(await refusal('vol-surfaces', both), /^400 invalid_parameter/)
  const neither = { underlying: 'BTC', expiry: 1_800_000_000 }
  assert.match(await refusal('vol-surfaces', neither), /^400 missing_field/)
})

test('tiers accept the short name of market makers, too', async () => {
  for (const tier of ['market_maker', 'mm']) {
    core.seen.length = 0
    assert.equal((await post('tiers', { wallet, tier }))['tier'], 'market_maker')
    assert.equal(seen(new SetTierCommand()).tier, Tier.MarketMaker)
  }
  core.seen.length = 0
  assert.match(await refusal('tiers', { wallet, tier: 'vip' }), /^400 invalid_field/)
})

test('a settlement price names its expiry by time or by date', async () => {
  const expiry = 1_800_000_000
  const named = await post('settlement-prices', { underlying: 'NVDA', expiry, price: '105000.5' })
  assert.deepEqual([named['expiry'], named['price']], [expiry, '105000.5'])
  const command = seen(new SettlementPriceCommand())
  assert.equal(command.recordType, CommandType.SettlementPrice)
  assert.equal(command.underlyingText, 'NVDA')
  assert.equal(command.expiryMillis, expiry * 1000)
  assert.equal(command.priceMicros, 105_000_500_000)
  core.seen.length = 0
  await post('settlement-prices', { underlying: 'NVDA', expiry: '2027-01-15', price: 1 })
  assert.equal(seen(command).expiryMillis, Date.UTC(2027, 0, 15, 20))
  core.seen.length = 0
  const wrong = { underlying: 'NVDA', expiry, price: '-1' }
  assert.match(await refusal('settlement-prices', wrong), /^400 invalid_field/)
})

test('money for the insurance fund is a deposit without a wallet', async () => {
  await post('insurance-fund', { amount: '12.5', deposit_id: 'f1' })
  const command = seen(new DepositCommand())
  assert.equal(command.recordType, CommandType.FundInsurance)
  assert.equal(command.amountMicros, 12_500_000)
  assert.equal(command.depositIdText, 'f1')
  assert.ok(isZeroAddress(command.u8, command.walletAt))
})

test('a halt concerns one underlying or all', async () => {
  await post('halts', { underlying: 'BTC', mode: 'cancel_only' })
  const halt = seen(new SetHaltCommand())
  assert.deepEqual([halt.underlyingText, halt.mode], ['BTC', HaltMode.CancelOnly])
  core.seen.length = 0
  await post('halts', { scope: 'all', mode: 'open' })
  assert.equal(seen(halt).underlyingText, '')
})

test('without a valid token nothing is done', async () => {
  for (const token of ['', 'wrong', 'secre', 'secret2']) {
    const stranger = new RestClient({ url: server.url, token })
    const body = { wallet, amount: '1' }
    await assert.rejects(stranger.request('POST', '/operator/deposits', { body }), {
      status: 401,
      code: 'unauthorized',
    })
    await assert.rejects(stranger.request('GET', '/operator/state'), { status: 401 })
  }
  assert.equal(core.seen.length, 0)
})

test('without a valid token the paths stay secret', async () => {
  const stranger = new RestClient({ url: server.url, token: 'wrong' })
  for (const method of ['GET', 'POST', 'DELETE'] as const) {
    for (const path of ['/operator', '/operator/', '/operator/nothing', '/user-tier']) {
      await assert.rejects(stranger.request(method, path), { status: 401 }, `${method} ${path}`)
    }
  }
  await assert.rejects(rest.request('GET', '/operator/nothing'), { status: 404 })
  await assert.rejects(rest.request('POST', '/operator/nothing'), { code: 'unsupported_endpoint' })
})

test('an unknown parameter fails by name, of health and metrics as well', async () => {
  for (const path of ['/readyz', '/livez', '/operator/state', '/operator/deposits']) {
    await assert.rejects(rest.request('GET', `${path}?verbose`), {
      status: 400,
      code: 'invalid_field',
      message: 'Unknown field: verbose',
    })
  }
  assert.ok(await rest.request('GET', '/livez?'))
})

test("no answer is stored in a cache, or read as a script by another site's page", async () => {
  for (const path of ['/operator/state', '/operator/audit', '/livez', '/nothing']) {
    const { headers } = await fetch(server.url + path, {
      headers: { Authorization: 'Bearer secret', Origin: 'http://evil.example' },
    })
    assert.equal(headers.get('access-control-allow-origin'), null)
    assert.deepEqual(
      ['cache-control', 'x-content-type-options', 'cross-origin-resource-policy'].map((name) =>
        headers.get(name),
      ),
      ['no-store', 'nosniff', 'same-origin'],
      path,
    )
  }
})

test('without a configured token only the health routes exist', async () => {
  const closed = await startOperatorServer({ ...options, tokens: new OperatorTokens('') })
  const client = new RestClient({ url: closed.url, token: 'secret' })
  await assert.rejects(client.request('POST', '/operator/deposits', { body: {} }), {
    status: 400,
    code: 'unsupported_endpoint',
  })
  await assert.rejects(client.request('GET', '/operator/state'), { status: 404 })
  assert.ok(await client.request('GET', '/livez'))
  closed.close()
})

test('other paths and methods are not served', async () => {
  await assert.rejects(rest.request('GET', '/operator/deposits'), { code: 'method_not_allowed' })
  await assert.rejects(rest.request('POST', '/operator/state'), { code: 'method_not_allowed' })
  const method = await answerTo('constructor /operator/deposits')
  // Node's parser knows the methods that there are.
  const isNative = options.transports.kind === 'native'
  assert.match(method, isNative ? /"code":"method_not_allowed"/ : /"code":"invalid_request"/)
  await assert.rejects(rest.request('GET', '/nothing'), { status: 404, code: 'not_found' })
  await assert.rejects(rest.request('POST', '/operator/deposit'), {
    message: 'Endpoint not supported: /operator/deposit (did you mean /operator/deposits?)',
  })
  await assert.rejects(rest.request('GET', '/operater/deposits'), {
    message: 'Not found: /operater/deposits',
  })
  await assert.rejects(rest.request('POST', '/nothing'), { code: 'unsupported_endpoint' })
  assert.deepEqual(await rest.request('GET', '/operator/state'), { a: 1 })
})

/** The answer to a request whose method `fetch` would not send. */
async function answerTo(methodAndPath: string): Promise<string> {
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
  const head = `${methodAndPath} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer secret\r\n`
  socket.end(`${head}Content-Length: 2\r\nConnection: close\r\n\r\n{}`)
  let text = ''
  for await (const part of socket) text += part
  return text
}

test('a body that is not JSON fails, and so does one that is too large', async () => {
  const headers = { authorization: 'Bearer secret' }
  const send = (body: string) =>
    fetch(`${server.url}/operator/deposits`, { method: 'POST', headers, body })
  assert.equal((await send('{')).status, 400)
  assert.equal((await send(' '.repeat(256 * 1024 + 1))).status, 413)
})

test('readyz names the parts that are not ready', async () => {
  await assert.rejects(rest.request('GET', '/readyz'), { status: 503 })
  const flags = new Int32Array(core.memory.flags)
  flags[0] = 1
  assert.deepEqual(await rest.request('GET', '/readyz'), { status: 'ready', failing: [] })
  flags[0] = 0
})

test('readyz stays 200 while the index is too old, and states the degradation', async () => {
  const flags = new Int32Array(core.memory.flags)
  flags[0] = 1
  const row = { underlying: 'BTC', mode: HaltMode.Open, number: 0, isLive: true, sinceMillis: 0 }
  new SharedValue<HaltBoard>(core.memory.haltBoard).write(haltBoard([row]))
  new Float64Array(core.memory.feedTimes)[0] = nowMillis - 61_000
  assert.deepEqual(await rest.request('GET', '/readyz'), {
    ...{ status: 'degraded', failing: [] },
    degraded: ['the index of BTC is 61 s old; pricing.indexMaxAgeMillis allows 60 s'],
  })
  new Float64Array(core.memory.feedTimes)[0] = nowMillis - 60_000
  assert.deepEqual(await rest.request('GET', '/readyz'), { status: 'ready', failing: [] })
  flags[0] = 0
})

test('livez names the silent threads', () => {
  const threads = [
    { role: 'core', silentMillis: 5 },
    { role: 'journal', silentMillis: 60_000 },
    { role: 'snapshot', silentMillis: null },
  ]
  const { status, body } = livezAnswer(threads, steady, [])
  assert.equal(status, 503)
  assert.deepEqual(JSON.parse(body).failing, [{ role: 'journal', silentMillis: 60_000 }])
  assert.equal(livezAnswer(threads.slice(0, 1), steady, []).status, 200)
})

test('livez stays at 200 for a stopped wallet and lists it; amounts of a stop before this start are absent', () => {
  const breach = { invariant: 'margin', text: 'slack', amounts: { micros: '3' }, wallet } as const
  const { status, body } = livezAnswer([], steady, [{ ...breach, batchNumber: 7 }])
  assert.equal(status, 200)
  const row = { ...breach, batch_number: 7 }
  assert.deepEqual(JSON.parse(body), { status: 'ok', failing: [], stopped_wallets: [row] })
  const old = { invariant: 'margin', text: 'stopped before this start', wallet } as const
  assert.deepEqual(JSON.parse(livezAnswer([], steady, [old]).body).stopped_wallets, [old])
})

test('livez names a broken invariant, with its amounts', () => {
  const breach = { invariant: 'positions', text: 'not zero', amounts: { lots: '3' } } as const
  const { status, body } = livezAnswer([], steady, [{ ...breach, batchNumber: 7 }])
  assert.equal(status, 503)
  assert.deepEqual(JSON.parse(body).failing, [
    { role: 'snapshot', alarm: 'invariant', ...breach, batch_number: 7 },
  ])
})
