import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { walletOf } from '../../../bench/event-script.js'
import { typedStructs } from '../../../gateway/actions/typed-structs.js'
import { createSigner } from '../../../gateway/client/signer.js'
import { createRandomSource } from '../../../gateway/feeds/random-source.js'
import { OrderStatus, RfqStatus } from '../../../schemas/domain.js'
import { LiquidationEvent } from '../../../schemas/generated/events.js'
import { readSessionText } from '../../../schemas/read-session.js'
import {
  InstrumentChange,
  LiquidationChange,
  RfqQuoteChange,
} from '../../../schemas/record-values.js'
import { typedDataDigest } from '../../../schemas/signing/typed-data-digest.js'
import { writeAddress } from '../../../schemas/wallet.js'
import { testExpiryMillis, testSymbol } from '../../support/gateway-rig.js'
import { listedRig, otherSymbol } from '../../support/hub-rig.js'
import { emitQuote, emitRfq, rfqUuid } from '../../support/rfq-script.js'

type Message = Record<string, unknown>
type Rig = ReturnType<typeof listedRig>
type Peer = ReturnType<Rig['connect']>

const [mine, theirs] = [walletOf(1), walletOf(2)]
const eventChannels = ['trades', 'market_updates', 'order_updates', 'fills', 'liquidation', 'rfq']
const minute = 60_000

/** A rig whose window begins now, as that of a gateway does which is ready. */
function readyRig(values: Readonly<Record<string, string>> = {}) {
  const rig = listedRig(values)
  const { context, state } = rig
  const window = context.eventWindow
  window.reset(state.seq, window.offset)
  return rig
}

/** Runs resumes until none is left, and the socket has all messages. */
async function settle({ hub }: Rig): Promise<void> {
  for (let turns = 0; hub.resuming > 0; turns++) {
    assert.ok(turns < 10_000, 'a resume comes to its end')
    hub.tick()
    await setImmediate()
  }
}

const trades = (rig: Rig, first: number, count: number) => {
  for (let id = first; id < first + count; id++) rig.script.trade(id, id % 2, mine, theirs)
  rig.pump()
}
const shortForms = (messages: Message[]) =>
  messages.map(({ type, trade_id: id, code, as_of_seq: asOf }) =>
    [type, id ?? code, asOf].filter((part) => part !== undefined).join(' '),
  )

async function resume(rig: Rig, peer: Peer, frame: object): Promise<Message[]> {
  const first = peer.say({ type: 'Subscribe', ...frame })
  await settle(rig)
  return [...first, ...peer.socket.take()]
}

test('the messages after the sequence are sent again, then Resumed, then live ones', async () => {
  const rig = readyRig()
  const begin = rig.state.seq
  trades(rig, 1, 4)
  const peer = rig.connect()
  const first = peer.say({ type: 'Subscribe', channel: 'trades', from_seq: begin + 2 })
  assert.deepEqual(shortForms(first), ['Subscribed'])
  trades(rig, 5, 1)
  await settle(rig)
  trades(rig, 6, 1)
  const seq = begin + 5
  const expected = ['Trade 3', 'Trade 4', 'Trade 5', `Resumed ${seq}`, 'Trade 6']
  assert.deepEqual(shortForms(peer.socket.take()), expected)
})

test('a Subscribe that requests it gets the sequence at which it begins', () => {
  const rig = readyRig()
  trades(rig, 1, 3)
  const [ack] = rig.connect().say({ type: 'Subscribe', channel: 'trades', as_of_seq: true })
  assert.deepEqual(ack, { type: 'Subscribed', channel: 'trades', as_of_seq: rig.state.seq })
})

test('without missed messages Resumed comes at once, however long ago the last event was', async () => {
  const rig = readyRig()
  trades(rig, 1, 1)
  rig.state.millis += 10 * minute
  const from = { channel: 'trades', from_seq: rig.state.seq }
  const messages = await resume(rig, rig.connect(), from)
  assert.deepEqual(shortForms(messages), ['Subscribed', `Resumed ${rig.state.seq}`])
})

test('a sequence that is not an integer from 0 to 2^53 - 1 fails, and nothing is subscribed', () => {
  const rig = readyRig()
  const peer = rig.connect()
  for (const from of [-1, 0.5, 2 ** 53, 1e300, '7', true, [], {}]) {
    const [error] = peer.say({ type: 'Subscribe', channel: 'trades', from_seq: from })
    assert.equal(error!['code'], 'invalid_field', String(from))
  }
  trades(rig, 1, 1)
  assert.deepEqual(peer.socket.take(), [])
})

test('the future, the past before the window and channels of current state cannot be resumed', async () => {
  const rig = listedRig()
  trades(rig, 1, 3)
  const begin = rig.state.seq
  rig.context.eventWindow.reset(begin, rig.context.eventWindow.offset)
  rig.script.level(0, 0, 100_000_000, 100_000_000)
  rig.pump()
  const unavailable = (asOf: number) => `Error resume_unavailable ${asOf}`
  for (const fromOf of [
    () => begin - 1,
    () => rig.state.seq + 1,
    () => Number.MAX_SAFE_INTEGER,
    () => 0,
  ]) {
    const peer = rig.connect()
    const from = fromOf()
    const frame = { channel: 'trades', from_seq: from }
    const messages = await resume(rig, peer, frame)
    assert.deepEqual(shortForms(messages), ['Subscribed', unavailable(rig.state.seq)], String(from))
    assert.equal(messages[1]!['from_seq'], from)
    trades(rig, 1, 1)
    assert.deepEqual(
      shortForms(peer.socket.take()),
      ['Trade 1'],
      'the current events are published',
    )
  }
  const seq = rig.state.seq
  const book = await resume(rig, rig.connect(), { channel: 'orderbook', from_seq: seq })
  assert.deepEqual(shortForms(book), ['Subscribed', unavailable(seq), `OrderbookUpdate ${seq}`])
})

test('events older than a minute cannot be resumed', async () => {
  const rig = readyRig()
  const begin = rig.state.seq
  trades(rig, 1, 1)
  rig.state.millis += minute
  const frame = { channel: 'trades', from_seq: begin }
  assert.equal((await resume(rig, rig.connect(), frame)).at(-1)!['type'], 'Resumed')
  rig.state.millis += 1
  assert.equal((await resume(rig, rig.connect(), frame)).at(-1)!['type'], 'Error')
})

test('8,192 messages are sent again, and a resume of one more fails without any', async () => {
  const rig = readyRig()
  const begin = rig.state.seq
  for (let first = 1; first <= 8193; first += 8193 / 3) trades(rig, first, 8193 / 3)
  const all = await resume(rig, rig.connect(), { channel: 'trades', from_seq: begin })
  assert.deepEqual(shortForms(all), ['Subscribed', `Error resume_unavailable ${rig.state.seq}`])
  const most = await resume(rig, rig.connect(), { channel: 'trades', from_seq: begin + 1 })
  assert.equal(most.length, 8194)
  assert.deepEqual([most[1]!['trade_id'], most[8192]!['trade_id']], [2, 8193])
})

test('a wallet gets its own messages, and a connection without a wallet none', async () => {
  const rig = readyRig()
  const begin = rig.state.seq
  rig.script.fill({ fillId: 1, tradeId: 1, orderId: 5, wallet: mine, account: 0, instrument: 0 })
  rig.script.fill({ fillId: 2, tradeId: 1, orderId: 6, wallet: theirs, account: 1, instrument: 0 })
  rig.pump()
  const frame = { channel: 'fills', from_seq: begin }
  const fills = await resume(rig, rig.connect(`wallet=${mine}`), frame)
  assert.deepEqual(
    fills.map(({ type, fill_id: id }) => `${type} ${id ?? ''}`.trim()),
    ['Subscribed', 'Fill 1', 'Resumed'],
  )
  assert.equal((await resume(rig, rig.connect(), frame))[0]!['code'], 'unauthorized')
})

test('a change of the wallet ends the resume of the former one', async () => {
  const rig = readyRig()
  const begin = rig.state.seq
  rig.script.fill({ fillId: 1, tradeId: 1, orderId: 5, wallet: mine, account: 0, instrument: 0 })
  rig.pump()
  const peer = rig.connect(`wallet=${mine}`)
  peer.say({ type: 'Subscribe', channel: 'fills', from_seq: begin })
  const [answer] = peer.say({ type: 'Authenticate', wallet: theirs })
  await settle(rig)
  assert.equal(answer!['type'], 'Authenticated')
  assert.deepEqual(peer.socket.take(), [])
})

test('subscriptions that resume together get each message once, in the order of the channel', async () => {
  const rig = readyRig()
  const begin = rig.state.seq
  trades(rig, 1, 6)
  const peer = rig.connect()
  const frame = { type: 'Subscribe', channel: 'trades' }
  peer.say({ ...frame, symbols: [testSymbol], from_seq: begin })
  peer.say({ ...frame, symbols: [otherSymbol], from_seq: begin + 3 })
  peer.say({ ...frame, symbols: [testSymbol, otherSymbol], from_seq: begin + 4 })
  await settle(rig)
  const messages = peer.socket.take()
  // Instrument 0 trades under even numbers.
  assert.deepEqual(shortForms(messages.slice(0, 5)), [
    ...['Trade 2', 'Trade 4', 'Trade 5', 'Trade 6'],
    `Resumed ${rig.state.seq}`,
  ])
  assert.deepEqual(
    messages.slice(4).map((message) => message['from_seq']),
    [begin, begin + 3, begin + 4],
  )
})

test('a live subscription may go back, and its connection gets everything else in order', async () => {
  const rig = readyRig()
  const begin = rig.state.seq
  const peer = rig.connect()
  peer.say({ type: 'Subscribe', channel: 'trades' })
  trades(rig, 1, 3)
  assert.equal(peer.socket.take().length, 3)
  const again = peer.say({ type: 'Subscribe', channel: 'trades', from_seq: begin + 1 })
  const [busy] = peer.say({ type: 'Subscribe', channel: 'trades', from_seq: begin })
  assert.deepEqual(shortForms(again), ['Subscribed'])
  assert.equal(busy!['code'], 'engine_busy', 'the same one, while it is on its way')
  await settle(rig)
  trades(rig, 4, 1)
  const expected = ['Trade 2', 'Trade 3', `Resumed ${begin + 3}`, 'Trade 4']
  assert.deepEqual(shortForms(peer.socket.take()), expected)
  assert.deepEqual(shortForms(peer.say({ type: 'Unsubscribe', channel: 'trades' })), [
    'Unsubscribed',
  ])
  trades(rig, 5, 1)
  assert.deepEqual(peer.socket.take(), [])
})

test('a slow reader gets messages at its pace, and delays nobody', async () => {
  const rig = readyRig()
  const begin = rig.state.seq
  trades(rig, 1, 4000)
  const [slow, quick] = [rig.connect(), rig.connect()]
  slow.socket.isStuck = true
  slow.say({ type: 'Subscribe', channel: 'trades', from_seq: begin })
  const frame = { type: 'Subscribe', channel: 'trades', from_seq: begin }
  quick.say(frame)
  for (let turns = 0; turns < 200; turns++) {
    rig.hub.tick()
    await setImmediate()
  }
  assert.equal(quick.socket.take().at(-1)!['type'], 'Resumed')
  const early = slow.socket.take()
  assert.ok(early.length < 1000, `${early.length} of 4,000 wait`)
  // Other frames are accepted, and later events arrive in their place.
  slow.say({ type: 'Subscribe', channel: 'trades', symbols: [testSymbol] })
  const [answer] = slow.say({ type: 'Unsubscribe', channel: 'trades', symbols: [testSymbol] })
  assert.equal(answer, undefined, 'it waits for its turn')
  trades(rig, 4001, 2)
  slow.socket.unstick()
  slow.peer.onDrain()
  await settle(rig)
  const rest = slow.socket.take().filter(({ type }) => type === 'Trade')
  assert.deepEqual(
    [...early, ...rest].flatMap((message) => message['trade_id'] ?? []),
    Array.from({ length: 4002 }, (_, index) => index + 1),
  )
  assert.equal(slow.socket.closed, null)
})

test('subscriptions that end during a resume leave those of other connections unchanged', async () => {
  const rig = readyRig()
  const begin = rig.state.seq
  const fill = (id: number) =>
    rig.script.fill({ fillId: id, tradeId: 1, orderId: 5, wallet: mine, account: 0, instrument: 0 })
  const [slow, other] = [rig.connect(`wallet=${mine}`), rig.connect(`wallet=${mine}`)]
  const frame = { type: 'Subscribe', channel: 'fills' }
  other.say(frame)
  slow.say({ ...frame, symbols: [otherSymbol] })
  slow.socket.isStuck = true
  for (let id = 1; id <= 2000; id++) fill(id)
  rig.pump()
  slow.say({ ...frame, symbols: [testSymbol], from_seq: begin })
  for (let turns = 0; turns < 100; turns++) await setImmediate()
  assert.equal(rig.hub.resuming, 1)
  slow.say({ ...frame, type: 'Unsubscribe' })
  assert.equal(rig.hub.resuming, 0)
  fill(2001)
  rig.pump()
  assert.equal(other.socket.take().at(-1)!['fill_id'], 2001)
  slow.socket.unstick()
  slow.peer.onDrain()
  assert.equal(slow.socket.take().at(-1)!['type'], 'Unsubscribed')
})

test('a consumer lapped by the log is closed as a slow one', async () => {
  const rig = readyRig()
  const begin = rig.state.seq
  trades(rig, 1, 4000)
  const peer = rig.connect()
  peer.socket.isStuck = true
  peer.say({ type: 'Subscribe', channel: 'trades', from_seq: begin })
  for (let turns = 0; turns < 100; turns++) await setImmediate()
  const { capacityBytes } = rig.script.views
  for (let bytes = 0; bytes < 1.5 * capacityBytes; bytes += 40) {
    rig.script.cleared(1)
    if (bytes % 40_000 === 0) rig.pump()
  }
  rig.pump()
  peer.socket.unstick()
  peer.peer.onDrain()
  await settle(rig)
  const { code, reason } = peer.socket.closed!
  assert.equal(code, 1008)
  assert.equal(JSON.parse(reason).error, 'slow_consumer')
})

test('a request for quote that began before the window cannot be sent again', async () => {
  const rig = readyRig()
  const [rfqId, quoteId] = [rfqUuid(1), rfqUuid(2)]
  emitRfq(rig.script, { rfqId, wallet: mine, status: RfqStatus.Created })
  rig.pump()
  rig.state.millis += minute + 1
  const begin = rig.state.seq
  const frame = { channel: 'rfq', from_seq: begin }
  trades(rig, 1, 1)
  const none = await resume(rig, rig.connect(`wallet=${mine}`), frame)
  assert.equal(none.at(-1)!['type'], 'Resumed', 'nothing of it came')
  emitQuote(rig.script, { rfqId, quoteId, netPremiumMicros: -4_000_000 })
  rig.pump()
  const cut = await resume(rig, rig.connect(`wallet=${mine}`), frame)
  assert.equal(cut.at(-1)!['code'], 'resume_unavailable')
  const others = await resume(rig, rig.connect(`wallet=${theirs}`), frame)
  assert.equal(others.at(-1)!['type'], 'Resumed', 'it is no request of theirs')
})

/** Integers below a bound, the same for the same seed. */
function randomOf(seed: number): (bound: number) => number {
  const random = createRandomSource(seed)
  return (bound) => Math.floor(random.next() * bound)
}

let rfqs = 0

/** One event of those that channels tell, or another. */
function emitSomething({ script }: Rig, random: (bound: number) => number): void {
  const wallet = random(2) === 0 ? mine : theirs
  const instrument = random(2)
  const number = 1 + random(1000)
  const one = { account: 0, instrument, wallet, orderId: number }
  const rfqId = rfqUuid(rfqs - random(Math.min(rfqs, 2)))
  const acts = [
    () => script.trade(number, instrument, mine, theirs),
    () => script.fill({ ...one, fillId: number, tradeId: number }),
    () => script.order({ ...one, status: OrderStatus.Canceled, clientId: `c${number}` }),
    () => script.instrument(1, otherSymbol, 0, testExpiryMillis, InstrumentChange.Created),
    () => script.cleared(1),
    () => emitRfq(script, { rfqId: rfqUuid(++rfqs), wallet, status: RfqStatus.Created }),
    () => emitQuote(script, { rfqId, quoteId: rfqUuid(1000 + number), netPremiumMicros: number }),
    () => {
      const change = RfqQuoteChange.Withdrawn
      emitQuote(script, { rfqId, quoteId: rfqUuid(1000 + number), change })
    },
    () => {
      const event = new LiquidationEvent()
      event.claim(script, LiquidationEvent.bytesWith(0))
      event.change = LiquidationChange.State
      writeAddress(wallet, event.u8, event.walletAt)
    },
  ]
  acts[random(acts.length)]!()
}

const addressOf = (last: number) => Uint8Array.of(198, 51, 100, last)

/** Opens a connection of its own address that resumes trades. */
function requester(rig: Rig, last: number, fromSeq: number) {
  const peer = rig.connect()
  peer.socket.address = addressOf(last)
  const ask = () => peer.say({ type: 'Subscribe', channel: 'trades', from_seq: fromSeq })
  return { ...peer, ask }
}

/** Turns until it has all. @param meanwhile happens in each of them. */
async function turnsUntilResumed(
  rig: Rig,
  { ask, socket }: ReturnType<typeof requester>,
  meanwhile: () => void,
): Promise<number> {
  const messages = ask()
  for (let turns = 1; turns < 2000; turns++) {
    await setImmediate()
    messages.push(...socket.take())
    if (messages.some(({ type }) => type === 'Resumed')) return turns
    meanwhile()
    rig.hub.tick()
  }
  throw new Error('never resumed')
}

test('128 connections of one address that resume repeatedly leave another address half of the turns', async (t) => {
  // Each reading of the time advances it, so that the length of a turn does not depend on the machine.
  let looks = 0
  t.mock.method(performance, 'now', () => looks++ / 10)
  const rig = readyRig()
  const begin = rig.state.seq
  trades(rig, 1, 1000)
  const alone = await turnsUntilResumed(rig, requester(rig, 1, begin), () => {})
  const many = Array.from({ length: 128 }, () => requester(rig, 2, begin))
  for (const { ask } of many) ask()
  const again = () => {
    for (const { ask, socket } of many) {
      if (socket.take().some(({ type }) => type === 'Resumed')) ask()
    }
  }
  const together = await turnsUntilResumed(rig, requester(rig, 3, begin), again)
  assert.ok(alone > 10, `${alone} turns alone`)
  assert.ok(together <= 2 * alone + 2, `${together} turns with the others, ${alone} alone`)
})

test('an address beyond its messages of a minute gets an error and live messages, and resumes in the next minute', async () => {
  const rig = readyRig({ 'limits.resumedMessagesPerMinute': '8192' })
  rig.state.millis = 100 * minute
  const begin = rig.state.seq
  trades(rig, 1, 5000)
  const frame = { channel: 'trades', from_seq: begin }
  const [one, other] = [rig.connect(), rig.connect()]
  assert.equal((await resume(rig, one, frame)).at(-1)!['type'], 'Resumed')
  const [, refused, ...more] = await resume(rig, other, frame)
  assert.deepEqual(more, [])
  const { message, ...fields } = refused!
  assert.match(String(message), /8192 messages a minute/)
  assert.deepEqual(fields, {
    ...{ type: 'Error', code: 'resume_unavailable', request_type: 'Subscribe' },
    ...{ retry_after_secs: 60, limit: 8192, ...frame, as_of_seq: rig.state.seq },
  })
  trades(rig, 5001, 1)
  assert.deepEqual(shortForms(other.socket.take()), ['Trade 5001'])
  const stranger = rig.connect()
  stranger.socket.address = addressOf(9)
  assert.equal((await resume(rig, stranger, frame)).at(-1)!['type'], 'Resumed')
  rig.state.millis += minute
  assert.equal((await resume(rig, other, frame)).at(-1)!['type'], 'Resumed')
})

test('an authenticated account counts separately from the strangers of its address', async () => {
  const rig = readyRig({ 'limits.resumedMessagesPerMinute': '8192' })
  const [owner, unknown] = [createSigner('11'.repeat(32)), createSigner('22'.repeat(32))]
  rig.script.account({ account: 0, wallet: owner.address, cashMicros: 0 })
  rig.pump()
  const begin = rig.state.seq
  trades(rig, 1, 5000)
  const frame = { channel: 'trades', from_seq: begin }
  const typeFor = async (signer?: typeof owner) => {
    const peer = rig.connect()
    if (signer !== undefined) {
      const { address: wallet } = signer
      const expiresMillis = rig.state.millis + minute
      const message = { wallet, expiresAt: expiresMillis }
      const { domain } = rig.context.signing
      const signature = signer.sign(typedDataDigest(domain, typedStructs.ReadSession, message))
      const session = readSessionText({ wallet, expiresMillis, signature })
      const [answer] = peer.say({ type: 'Authenticate', wallet, session })
      assert.equal(answer!['type'], 'Authenticated')
    }
    return (await resume(rig, peer, frame)).at(-1)!['type']
  }
  assert.equal(await typeFor(), 'Resumed')
  assert.equal(await typeFor(), 'Error')
  assert.equal(await typeFor(unknown), 'Error', 'a key without an account is a stranger')
  assert.equal(await typeFor(owner), 'Resumed')
  assert.equal(await typeFor(owner), 'Error', 'its own window is full')
})

test('a client that returns at any time has received the same as one that stayed, on every channel', async () => {
  const seed = Date.now() % 100_000
  const random = randomOf(seed)
  const rig = readyRig()
  const query = `wallet=${mine}`
  const heard: Message[] = []
  let [stayed, back] = [rig.connect(query), rig.connect(query)]
  const all: Message[] = []
  for (const channel of eventChannels) {
    stayed.say({ type: 'Subscribe', channel })
    back.say({ type: 'Subscribe', channel })
  }
  let seqs = new Map(eventChannels.map((channel) => [channel, rig.state.seq]))
  for (let step = 0; step < 400; step++) {
    for (let count = random(6); count >= 0; count--) emitSomething(rig, random)
    rig.pump(random(4) > 0)
    if (random(3) === 0) await setImmediate()
    all.push(...stayed.socket.take())
    if (random(10) > 0 || rig.hub.resuming > 0) continue
    rig.pump()
    heard.push(...back.socket.take())
    seqs = new Map(eventChannels.map((channel) => [channel, rig.state.seq]))
    back.socket.close(1000, '')
    for (let away = random(4); away > 0; away--) {
      emitSomething(rig, random)
      rig.pump()
    }
    back = rig.connect(query)
    for (const [channel, seq] of seqs) {
      const ack = back.say({ type: 'Subscribe', channel, from_seq: seq })
      assert.equal(ack[0]!['type'], 'Subscribed', `seed ${seed}, step ${step}`)
    }
  }
  rig.pump()
  await settle(rig)
  all.push(...stayed.socket.take())
  heard.push(...back.socket.take())
  for (const channel of eventChannels) {
    const of = (messages: Message[]) => messages.filter(({ type }) => channelOf(type) === channel)
    assert.deepEqual(of(heard), of(all), `${channel}, seed ${seed}`)
  }
  assert.ok(all.length > 300, `seed ${seed}`)
})

function channelOf(type: unknown): string | undefined {
  return {
    ...{ Trade: 'trades', MarketUpdate: 'market_updates', OrderUpdate: 'order_updates' },
    ...{ Fill: 'fills', LiquidationStateChange: 'liquidation' },
    ...{ RfqStatusUpdate: 'rfq', RfqQuotes: 'rfq', RfqAcceptResult: 'rfq' },
  }[type as string]
}
