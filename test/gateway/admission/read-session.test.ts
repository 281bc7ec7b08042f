import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { typedStructs } from '../../../gateway/actions/typed-structs.js'
import { admitReader, readSessionOf } from '../../../gateway/admission/read-session.js'
import { ReadSessions } from '../../../gateway/client/read-sessions.js'
import { createSigner, type Signer } from '../../../gateway/client/signer.js'
import type { HttpCall } from '../../../gateway/transport/transport.js'
import { Fault } from '../../../gateway/wire/fault.js'
import { channelRows } from '../../../schemas/interface/channels.js'
import { readSessionText } from '../../../schemas/read-session.js'
import { AgentChange } from '../../../schemas/record-values.js'
import { typedDataDigest } from '../../../schemas/signing/typed-data-digest.js'
import type { SigningDomain } from '../../../schemas/typed-data.js'
import { listedRig, otherSymbol } from '../../support/hub-rig.js'

const hourMillis = 3_600_000
const curveOrder = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
const [owner, agent, stranger] = ['11', '22', '33'].map((byte) =>
  createSigner(byte.repeat(32)),
) as [Signer, Signer, Signer]
const { address: wallet } = owner
const client = Uint8Array.of(203, 0, 113, 7)

interface Stated {
  readonly of?: string
  readonly by?: Signer
  readonly expiresMillis?: number
  readonly domain?: Partial<SigningDomain>
}

/** A venue of signed reads that knows the wallet and its agent. */
function rigOf() {
  const rig = listedRig({ 'reads.private': 'signed' })
  const { script, context, state } = rig
  script.account({ account: 0, wallet, cashMicros: 0 })
  script.agent(AgentChange.Approved, 0, wallet, agent.address)
  rig.pump()
  const session = ({ of = wallet, by = owner, domain = {}, ...stated }: Stated = {}) => {
    const { expiresMillis = state.millis + hourMillis } = stated
    const message = { wallet: of, expiresAt: expiresMillis }
    const whole = { ...context.signing.domain, ...domain }
    const signature = by.sign(typedDataDigest(whole, typedStructs.ReadSession, message))
    return readSessionText({ wallet: of, expiresMillis, signature })
  }
  /** Returns the signer of a session, or the error of its text. */
  const look = (text: string) => {
    const read = readSessionOf(context, text, client)
    return read instanceof Fault ? read.message : read.signer
  }
  const revoke = () => script.agent(AgentChange.Revoked, 0, wallet, agent.address)
  return { ...rig, session, look, revoke }
}

test('a wallet and its agent read with their signed session, repeatedly, for an hour', () => {
  const { session, look, state, context } = rigOf()
  const [own, byAgent] = [session(), session({ by: agent })]
  for (let i = 0; i < 3; i++) {
    assert.equal(look(own), wallet)
    assert.equal(look(byAgent), agent.address)
  }
  assert.equal(context.signing.checked, 2)
  state.millis += hourMillis - 1
  assert.equal(look(own), wallet)
  state.millis++
  assert.match(look(own), /has expired or was revoked/)
})

test('a session of another signer, wallet, venue, chain or struct fails', () => {
  const { session, look, context } = rigOf()
  const nobody = /signer of the session may not act for the wallet/
  assert.match(look(session({ by: stranger })), nobody)
  assert.match(look(session({ domain: { chainId: 1 } })), nobody)
  assert.match(look(session({ domain: { name: 'Elsewhere' } })), nobody)
  const expiresMillis = context.nowMillis() + hourMillis
  const struct = typedStructs.SetDeadMan
  const message = { wallet, timeoutMs: expiresMillis, nonce: 1 }
  const signature = owner.sign(typedDataDigest(context.signing.domain, struct, message))
  assert.match(look(readSessionText({ wallet, expiresMillis, signature })), nobody)
})

test('changing its wallet or its end invalidates a session', () => {
  const { session, look, state } = rigOf()
  const text = session()
  assert.equal(look(text), wallet)
  const [, , signature] = text.split('.')
  const later = `${wallet}.${state.millis + hourMillis + 1}.${signature}`
  assert.match(look(later), /may not act for the wallet/)
  assert.match(look(text.replace(wallet, stranger.address)), /may not act for the wallet/)
})

test('a signature has one form: neither its other s nor another v is accepted', () => {
  const { session, look } = rigOf()
  const [of, until, signature] = session().split('.') as [string, string, string]
  const [r, s, v] = [signature.slice(2, 66), signature.slice(66, 130), signature.slice(130)]
  const highS = (curveOrder - BigInt(`0x${s}`)).toString(16).padStart(64, '0')
  const otherV = v === '1b' ? '1c' : '1b'
  const texts = [`${r}${highS}${otherV}`, `${r}${highS}${v}`, `${r}${s}1d`]
  for (const text of texts) assert.match(look(`${of}.${until}.0x${text}`), /is invalid/)
  assert.match(look(`${of}.${until}.0x${r}${s}${otherV}`), /may not act for the wallet|is invalid/)
})

test('neither an API wallet nor the agent of another wallet may read', () => {
  const { session, look, script, pump } = rigOf()
  const nobody = /signer of the session may not act for the wallet/
  script.apiWallet(AgentChange.Approved, wallet, stranger.address, 1)
  script.account({ account: 1, wallet: stranger.address, cashMicros: 0 })
  pump()
  assert.match(look(session({ by: stranger })), nobody)
  assert.match(look(session({ of: stranger.address, by: agent })), nobody)
})

test('a session longer than an hour fails, with an allowance for a clock that is slightly ahead', () => {
  const { session, look, state } = rigOf()
  const until = (millis: number) => look(session({ expiresMillis: state.millis + millis }))
  assert.equal(until(hourMillis + 300_000), wallet)
  assert.match(until(hourMillis + 300_001), /longer than an hour/)
  assert.match(until(0), /has expired or was revoked/)
})

test('a malformed session costs no signature recovery', () => {
  const { session, look, context } = rigOf()
  const text = session()
  for (const wrong of ['', 'x', text.slice(1), `${text}0`, text.toUpperCase(), ` ${text}`]) {
    assert.match(look(wrong), /A signed session of the wallet is needed/)
  }
  assert.equal(context.signing.checked, 0)
})

test('the session of an agent ends when the agent is revoked, even if it was known before', () => {
  const { session, look, revoke, pump } = rigOf()
  const byAgent = session({ by: agent })
  assert.equal(look(byAgent), agent.address)
  revoke()
  pump()
  assert.match(look(byAgent), /may not act for the wallet/)
  assert.equal(look(session()), wallet)
})

test("failed signatures use up the recoveries of their client's address", () => {
  const { session, look, state } = rigOf()
  const answers = Array.from({ length: 400 }, (_, i) =>
    look(session({ by: stranger, expiresMillis: state.millis + 1 + i })),
  )
  assert.match(answers[0]!, /may not act for the wallet/)
  assert.match(answers.at(-1)!, /Rate limit exceeded/)
})

test('a read that has waited gets no answer if its session ended in between', () => {
  const { session, context, revoke, pump, state } = rigOf()
  const row = { reader: 'wallet', walletParameter: 'wallet' } as const
  const admit = (shown: string) => {
    const call = { authorization: `Bearer ${shown}`, address: client, query: `wallet=${wallet}` }
    const admitted = admitReader(context, call as HttpCall, row, wallet)
    assert.ok(typeof admitted === 'function')
    return () => admitted('{}')?.message ?? 'read'
  }
  const [own, ofAgent] = [admit(session()), admit(session({ by: agent }))]
  assert.deepEqual([own(), ofAgent()], ['read', 'read'])
  revoke()
  pump()
  assert.deepEqual([own(), ofAgent()], ['read', 'The read session has expired or was revoked'])
  state.millis += hourMillis
  assert.equal(own(), 'The read session has expired or was revoked')
})

test('private channels need a session of the named wallet', () => {
  const { connect, session } = rigOf()
  const { say } = connect()
  const subscribe = { type: 'Subscribe', channel: 'fills' }
  const codeOf = (frame: object) => say(frame)[0]!['code']
  assert.equal(codeOf({ type: 'Authenticate', wallet }), 'unauthorized')
  assert.equal(codeOf(subscribe), 'unauthorized')
  const other = session({ of: stranger.address, by: stranger })
  assert.equal(codeOf({ type: 'Authenticate', wallet, session: other }), 'unauthorized')
  assert.equal(codeOf({ type: 'Authenticate', wallet, session: 7 }), 'invalid_field')
  assert.equal(codeOf({ type: 'GetRateLimits', wallet }), 'unauthorized')
  assert.equal(codeOf(subscribe), 'unauthorized')
  const [answer] = say({ type: 'Authenticate', wallet, session: session() })
  const until = { session_expires_ms: 1_000_000 + hourMillis }
  assert.deepEqual(answer, { type: 'Authenticated', wallet, ...until })
  assert.equal(say(subscribe)[0]!['type'], 'Subscribed')
  assert.equal(say({ type: 'GetRateLimits' })[0]!['type'], 'RateLimits')
})

test('each private channel needs a session, and the others need none', () => {
  const { connect, session } = rigOf()
  const [stranger, known] = [connect(), connect()]
  known.say({ type: 'Authenticate', wallet, session: session() })
  for (const [channel, { isPrivate }] of Object.entries(channelRows)) {
    const frame = { type: 'Subscribe', channel, symbols: isPrivate ? undefined : [otherSymbol] }
    const answer = stranger.say(frame)[0]!
    assert.equal(answer['code'] === 'unauthorized', isPrivate, channel)
    assert.equal(known.say(frame)[0]!['type'], 'Subscribed', channel)
  }
})

test('the address of a stream identifies nobody', () => {
  const { connect } = rigOf()
  const { socket, say } = connect(`wallet=${wallet}`)
  assert.equal(socket.take()[0]!['code'], 'unauthorized')
  assert.equal(say({ type: 'Subscribe', channel: 'portfolio' })[0]!['code'], 'unauthorized')
})

test('on an open stream, private messages stop after the hour and continue with a new session', () => {
  const { connect, session, state, hub } = rigOf()
  const { say, socket, peer } = connect()
  const identify = () => say({ type: 'Authenticate', wallet, session: session() })[0]!['type']
  const errors = () => socket.take().filter(({ type }) => type === 'Error')
  const pass = (millis: number) => {
    state.millis += millis
    peer.onPong()
    hub.tick()
  }
  identify()
  say({ type: 'Subscribe', channel: 'fills' })
  say({ type: 'Subscribe', channel: 'orderbook', symbols: [otherSymbol] })
  pass(hourMillis - 1)
  assert.equal(identify(), 'Authenticated')
  pass(1)
  assert.deepEqual(errors(), [])
  pass(hourMillis)
  const [over] = errors()
  assert.deepEqual(
    [over!['code'], over!['message']],
    ['unauthorized', 'The read session has expired or was revoked'],
  )
  assert.equal(say({ type: 'Subscribe', channel: 'fills' })[0]!['code'], 'unauthorized')
  assert.equal(socket.closed, null)
})

test('a stream of an agent gets no private message published after its revocation', () => {
  const { connect, session, revoke, script, pump } = rigOf()
  const [ofAgent, ofOwner] = [connect(), connect()]
  ofAgent.say({ type: 'Authenticate', wallet, session: session({ by: agent }) })
  ofOwner.say({ type: 'Authenticate', wallet, session: session() })
  for (const { say } of [ofAgent, ofOwner]) {
    assert.equal(say({ type: 'Subscribe', channel: 'fills' })[0]!['type'], 'Subscribed')
  }
  const fill = () =>
    script.fill({ fillId: 1, tradeId: 1, orderId: 9, wallet, account: 0, instrument: 0 })
  fill()
  pump()
  const typesOf = ({ socket }: typeof ofAgent) => socket.take().map(({ type }) => type)
  assert.deepEqual([typesOf(ofAgent), typesOf(ofOwner)], [['Fill'], ['Fill']])
  // Both in one run of events.
  revoke()
  fill()
  pump()
  assert.deepEqual([typesOf(ofAgent), typesOf(ofOwner)], [['Error'], ['Fill']])
})

test('a request on a stream after the end of its session fails, even before the clock was checked', () => {
  const { connect, session, state } = rigOf()
  const { say } = connect()
  say({ type: 'Authenticate', wallet, session: session() })
  state.millis += hourMillis
  const frames = [
    { type: 'Subscribe', channel: 'fills' },
    { type: 'Subscribe', channel: 'order_updates', from_seq: 0 },
    { type: 'GetRateLimits', wallet },
  ]
  const answers = frames.flatMap(say)
  assert.deepEqual(
    answers.map(({ code, request_type: type = null }) => [code, type]),
    [null, 'Subscribe', 'Subscribe', 'GetRateLimits'].map((type) => ['unauthorized', type]),
  )
})

test('a stream gets no private message published after the end of its session', () => {
  const { connect, session, script, pump, state } = rigOf()
  const { say, socket } = connect()
  say({ type: 'Authenticate', wallet, session: session() })
  say({ type: 'Subscribe', channel: 'fills' })
  const toldAfter = (millis: number) => {
    state.millis += millis
    script.fill({ fillId: 1, tradeId: 1, orderId: 9, wallet, account: 0, instrument: 0 })
    pump()
    return socket.take().map(({ type }) => type)
  }
  assert.deepEqual(toldAfter(hourMillis - 1), ['Fill'])
  assert.deepEqual(toldAfter(1), [])
})

test("the resume of an agent's stream ends with the agent, and its session cannot request another", async () => {
  const { connect, session, revoke, script, pump, state } = rigOf()
  const begin = state.seq
  for (let i = 1; i <= 3; i++) {
    script.fill({ fillId: i, tradeId: i, orderId: 9, wallet, account: 0, instrument: 0 })
  }
  pump()
  const { say, socket } = connect()
  const shown = session({ by: agent })
  const again = { type: 'Subscribe', channel: 'fills', from_seq: begin }
  say({ type: 'Authenticate', wallet, session: shown })
  assert.deepEqual(
    say(again).map(({ type }) => type),
    ['Subscribed'],
  )
  revoke()
  pump()
  for (let i = 0; i < 5; i++) await setImmediate()
  assert.deepEqual(
    socket.take().map(({ type }) => type),
    ['Error'],
  )
  assert.equal(say({ type: 'Authenticate', wallet, session: shown })[0]!['code'], 'unauthorized')
  assert.equal(say(again)[0]!['code'], 'unauthorized')
})

test('where reads are open a session is optional, but is checked', () => {
  const rig = listedRig()
  const { say } = rig.connect()
  assert.equal(say({ type: 'Authenticate', wallet })[0]!['type'], 'Authenticated')
  const wrong = { type: 'Authenticate', wallet, session: 'x' }
  assert.equal(say(wrong)[0]!['code'], 'unauthorized')
})

test('a client signs once, and again before its session expires', async () => {
  const { context, look, state } = rigOf()
  let signed = 0
  const signer: Signer = {
    ...agent,
    sign: (digest) => {
      signed++
      return agent.sign(digest)
    },
  }
  const { domain } = context.signing
  const sessions = new ReadSessions({ domain, signer, wallet }, () => state.millis)
  assert.equal(await sessions.shown(), null)
  const [{ text }] = await Promise.all([sessions.current(), sessions.current()])
  assert.equal(look(text), agent.address)
  assert.equal(await sessions.shown(), text)
  assert.equal(await sessions.refused(text), false)
  assert.equal(signed, 1)
  state.millis += hourMillis
  assert.match(look(text), /has expired or was revoked/)
  assert.equal(look((await sessions.current()).text), agent.address)
  assert.equal(signed, 2)
})
