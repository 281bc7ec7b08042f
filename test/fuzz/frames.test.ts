import assert from 'node:assert/strict'
import { isUtf8 } from 'node:buffer'
import { test } from 'node:test'
import fc from 'fast-check'
import { channelRows } from '../../schemas/interface/channels.js'
import { testSymbol } from '../support/gateway-rig.js'
import { hubRig } from '../support/hub-rig.js'
import { isLongRun } from '../support/long-test.js'
import * as rules from './field-rules.js'
import { anyJson, bytesOf, nearly } from './json-values.js'
import { orderFields } from './sound-fields.js'

type Frame = Readonly<Record<string, unknown>>

const rig = hubRig()
const seed = Number(process.env['STRIKEBOOK_TEST_SEED'] ?? 12)
const runs = { seed, numRuns: isLongRun ? 3_000 : 1_200 }
const signatureFault = 'signature_verification_failed'

const channels = Object.keys(channelRows)
const candidates = {
  type: [
    'Subscribe',
    'Unsubscribe',
    'Authenticate',
    'ClockSync',
    'PlaceOrder',
    'placeorder',
    'Order',
  ],
  channel: ['trades', ...channels, 'candles:BTC', '__proto__', 'constructor', 'Trades', ''],
  symbols: [
    [testSymbol],
    [],
    ['BTC', ''],
    [1],
    'BTC',
    Array(4097).fill('A'),
    Array(4096).fill('A'),
  ],
  expiry: [
    '2026-09-25',
    '20260925',
    '1790323200',
    '2026-02-30',
    '2026-13-01',
    '2026-0925',
    '99999999999',
    '1970-01-01',
    '0',
  ],
  option_type: ['call', 'PUT', 'c', 'straddle', ''],
  nonce: ['n', 'x'.repeat(128), 'é'.repeat(65), '\ud800'],
  wallet: orderFields.wallet,
}
const orderFrame = nearly({ ...orderFields, type: ['PlaceOrder'] })
const frame = fc.oneof(
  { weight: 8, arbitrary: framesOfAnyType() },
  { weight: 4, arbitrary: orderFrame },
  anyJson,
)

/** Says one frame on a connection of its own. @returns every message that came back. */
function say(bytes: Buffer, isBinary: boolean, query = ''): Frame[] {
  rig.state.millis += 61_000
  const { socket, peer } = rig.connect(query)
  socket.take()
  peer.onMessage(bytes, isBinary)
  const messages = socket.take()
  assert.equal(socket.closed, null, 'the connection stays')
  peer.onClose()
  return messages
}

test('any frame is answered once, and the connection stays open', () => {
  const seen = new Map<string, number>()
  fc.assert(
    fc.property(bytesOf(frame), (bytes) => {
      const messages = say(bytes, false)
      assert.equal(messages.length, 1, `one answer: ${JSON.stringify(messages)}`)
      const answer = messages[0]!
      const name = String(answer['code'] ?? answer['type'])
      seen.set(name, (seen.get(name) ?? 0) + 1)
      const expected = namesFor(bytes)
      assert.ok(expected.includes(name), `${JSON.stringify(answer)}, not ${expected}`)
      if (answer['type'] !== 'Error') return
      assert.match(String(answer['message']), /^[\x20-\x7e]{1,400}$/)
      assert.ok(!Object.values(answer).includes(null), 'what is unknown is left out')
    }),
    runs,
  )
  for (const name of ['Subscribed', 'Unsubscribed', 'Authenticated', 'ClockSynced']) {
    assert.ok((seen.get(name) ?? 0) >= 10, `${name}: ${[...seen]}`)
  }
})

test('a binary frame gets an Error, whatever its bytes', () => {
  fc.assert(
    fc.property(bytesOf(frame), (bytes) => {
      const messages = say(bytes, true)
      assert.deepEqual(
        messages.map(({ type, code }) => [type, code]),
        [['Error', 'invalid_request']],
      )
    }),
    { seed, numRuns: 200 },
  )
})

test('each of several frames on one connection is answered according to the identity at that moment', () => {
  const own = nearly({ ...candidates, type: ['Subscribe'], channel: ['fills', ...channels] })
  const some = fc.array(fc.oneof(framesOfAnyType(), own), { minLength: 2, maxLength: 30 })
  let privates = 0
  fc.assert(
    fc.property(some, (frames) => {
      rig.state.millis += 61_000
      const { socket, peer, say } = rig.connect()
      let isIdentified = false
      for (const one of frames) {
        const text = JSON.stringify(one)
        const answers = say(text)
        assert.equal(answers.length, 1, text)
        const answer = answers[0]!
        const name = String(answer['code'] ?? answer['type'])
        const names = namesFor(Buffer.from(text))
        const isPrivate = names.includes('unauthorized')
        const expected = isPrivate && isIdentified ? ['Subscribed'] : names
        // Many names in one filter leave no room for others.
        const isFull = name === 'limit_exceeded' && expected.includes('Subscribed')
        assert.ok(isFull || expected.includes(name), `${text}: ${name}, not ${expected}`)
        if (/^(Un)?[Ss]ubscribed$/.test(name)) assert.equal(answer['channel'], one['channel'])
        if (name === 'Authenticated') isIdentified = true
        if (isPrivate && name === 'Subscribed') privates++
      }
      assert.equal(socket.closed, null)
      peer.onClose()
    }),
    { seed, numRuns: 200 },
  )
  assert.ok(privates >= 50, `${privates} private subscriptions`)
})

test('any text in the query of the URL identifies a wallet or gets one Error', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom(...texts())), (text) => {
      const { socket, peer } = rig.connect(
        `wallet=${encodeURIComponent(text.replace(/\p{Surrogate}/gu, '?'))}`,
      )
      const messages = socket.take()
      const isWallet = /^0x[0-9a-fA-F]{40}$/.test(text) && !/^0x0{40}$/.test(text)
      assert.deepEqual(
        messages.map(({ code }) => code),
        isWallet ? [] : ['invalid_wallet'],
      )
      peer.onClose()
    }),
    { seed, numRuns: 300 },
  )
})

function framesOfAnyType(): fc.Arbitrary<Frame> {
  const { type, ...fields } = candidates
  return fc.oneof(...type.map((name) => nearly({ type: [name, ...type], ...fields })))
}

function texts(): readonly string[] {
  return candidates.wallet
}

/** The messages that may answer a frame, by code or type. */
function namesFor(bytes: Buffer): readonly string[] {
  if (!isUtf8(bytes)) return ['invalid_json', 'invalid_request']
  const { value, code } = rules.readJson(bytes)
  if (code !== undefined) return [code]
  if (!rules.isObject(value)) return ['invalid_request']
  const { type } = value
  if (type === undefined || type === null) return ['missing_field']
  if (typeof type !== 'string') return ['invalid_field']
  const namesOf = namesByType[type]
  return Object.hasOwn(namesByType, type) ? namesOf!(value) : ['invalid_request']
}

const namesByType: Readonly<Record<string, (frame: Frame) => readonly string[]>> = {
  ClockSync: ({ nonce }) => {
    if (nonce === undefined || nonce === null) return ['missing_field']
    const isText = typeof nonce === 'string' && Buffer.byteLength(nonce) <= 128
    return [isText ? 'ClockSynced' : 'invalid_field']
  },
  Authenticate: ({ wallet }) => {
    if (wallet === undefined || wallet === null) return ['missing_field']
    if (typeof wallet !== 'string') return ['invalid_field']
    return [rules.isWallet(wallet) ? 'Authenticated' : 'invalid_wallet']
  },
  Subscribe: (value) => subscriptionNames(value, 'Subscribed'),
  Unsubscribe: (value) => subscriptionNames(value, 'Unsubscribed'),
  PlaceOrder: (value) => {
    const codes = rules.faultCodes(value, rules.streamRules)
    return codes.length === 0 ? [signatureFault] : codes
  },
}

function subscriptionNames(frame: Frame, ack: string): readonly string[] {
  const { channel } = frame
  if (channel === undefined || channel === null) return ['missing_field']
  if (typeof channel !== 'string') return ['invalid_field']
  if (!channels.includes(channel)) return ['not_found']
  const areSound =
    isSymbols(frame['symbols']) && isExpiry(frame['expiry']) && isRight(frame['option_type'])
  if (!areSound) return ['invalid_field']
  const isPrivate = channelRows[channel as keyof typeof channelRows].isPrivate
  return isPrivate && ack === 'Subscribed' ? ['unauthorized'] : [ack]
}

function isSymbols(value: unknown): boolean {
  if (value === undefined || value === null) return true
  return (
    Array.isArray(value) && value.length <= 4096 && value.every((one) => typeof one === 'string')
  )
}

function isExpiry(value: unknown): boolean {
  if (value === undefined || value === null) return true
  if (typeof value !== 'string') return false
  const date = /^\d{4}-\d{2}-\d{2}$/.test(value) ? value.replaceAll('-', '') : value
  const isSeconds = /^\d{9,11}$/.test(value)
  if (isSeconds) return Number(value) >= 1e8 && Number(value) < Date.UTC(2106) / 1000
  return /^\d{8}$/.test(date) && rules.dateOf(date) !== null
}

function isRight(value: unknown): boolean {
  if (value === undefined || value === null) return true
  return typeof value === 'string' && ['c', 'p', 'call', 'put'].includes(value.toLowerCase())
}
