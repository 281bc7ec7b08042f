import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import webPush from 'web-push'
import type { Resolve } from '../../../gateway/push/address-guard.js'
import { PushSender, type PushSenderOptions } from '../../../gateway/push/push-sender.js'
import { newBrowser } from '../../support/browser.js'
import { decrypted, PushReceiver, vapidClaims } from '../../support/push-receiver.js'

const receiver = new PushReceiver()
before(() => receiver.start())
beforeEach(() => {
  receiver.requests.length = 0
  receiver.reply = () => 201
})
after(() => receiver.stop())

const keys = webPush.generateVAPIDKeys()
const payload = { type: 'fill', timestamp: 1, title: 'Bought', body: '1 BTC', seq: 7 }

function senderOf(patch: Partial<PushSenderOptions> = {}): PushSender {
  return new PushSender({
    ...{ keys, subject: 'mailto:push@strikebook.invalid', timeoutMillis: 3000, maxAgeSeconds: 60 },
    ...{ allowedHosts: [], allowPrivate: true },
    resolve: async () => assert.fail('nobody is asked'),
    ...patch,
  })
}

function noticeTo(endpoint: string, browser = newBrowser()) {
  const bytes = Buffer.concat([browser.point, browser.secret])
  return { id: 1, wallet: '0x1', endpoint, keys: bytes.toString('base64'), payload }
}

/** A name stands for what the test says, at each asking. */
const namesOf =
  (...answers: readonly (readonly string[])[]): Resolve =>
  async () =>
    answers[Math.min(answers.length - 1, asked++)]!
let asked = 0
beforeEach(() => {
  asked = 0
})

test('a browser can read the notification, and the push service can identify the sender', async () => {
  const browser = newBrowser()
  const outcome = await senderOf().send(noticeTo(receiver.endpoint('/one?a=b'), browser))
  assert.deepEqual(outcome, { kind: 'delivered' })
  const [request] = receiver.requests
  assert.equal(request!.path, '/one?a=b')
  assert.equal(request!.headers['content-encoding'], 'aes128gcm')
  assert.deepEqual([request!.headers['ttl'], request!.headers['urgency']], ['60', 'normal'])
  assert.deepEqual(JSON.parse(decrypted(request!.body, browser)), payload)
  const { key, aud, sub } = vapidClaims(request!)
  assert.equal(key, keys.publicKey)
  assert.deepEqual(
    [aud, sub],
    [`http://127.0.0.1:${receiver.port}`, 'mailto:push@strikebook.invalid'],
  )
  assert.equal(request!.body.includes('Bought'), false)
})

test('one signature is used for many notifications of one push service, and for no other', async (context) => {
  const other = await new PushReceiver().start()
  context.after(() => other.stop())
  const sender = senderOf()
  for (const of of [receiver, receiver, other]) await sender.send(noticeTo(of.endpoint('/')))
  const [first, second] = receiver.requests
  assert.equal(first!.headers.authorization, second!.headers.authorization)
  assert.equal(vapidClaims(other.requests[0]!).aud, `http://127.0.0.1:${other.port}`)
})

test('an answer means: gone, later, or failed', async () => {
  const sender = senderOf()
  const resultOf = async (reply: PushReceiver['reply']) => {
    receiver.reply = reply
    return sender.send(noticeTo(receiver.endpoint('/')))
  }
  for (const status of [404, 410]) assert.deepEqual(await resultOf(() => status), { kind: 'gone' })
  for (const status of [400, 401, 403, 413]) {
    assert.deepEqual(await resultOf(() => status), { kind: 'failed' })
  }
  for (const status of [500, 503, 429]) {
    assert.deepEqual(await resultOf(() => status), { kind: 'retry', afterMillis: 0 })
  }
  const waits = (text: string) => () => ({ status: 429, headers: { 'Retry-After': text } })
  assert.deepEqual(await resultOf(waits('7')), { kind: 'retry', afterMillis: 7000 })
  assert.deepEqual(await resultOf(waits('soon')), { kind: 'retry', afterMillis: 0 })
  const date = new Date(Date.now() + 60_000).toUTCString()
  const later = await resultOf(waits(date))
  assert.ok(later.kind === 'retry' && later.afterMillis > 50_000 && later.afterMillis <= 60_000)
})

test('redirects are not followed', async () => {
  receiver.reply = ({ path }) =>
    path === '/moved' ? { status: 302, headers: { Location: receiver.endpoint('/inside') } } : 201
  const outcome = await senderOf().send(noticeTo(receiver.endpoint('/moved')))
  assert.deepEqual(outcome, { kind: 'failed' })
  assert.deepEqual(
    receiver.requests.map(({ path }) => path),
    ['/moved'],
  )
})

test('a push service that hangs, or sends without end, costs a bounded time', async () => {
  receiver.reply = () => null
  const beginMillis = performance.now()
  const hung = await senderOf().send(noticeTo(receiver.endpoint('/')))
  assert.deepEqual(hung, { kind: 'retry', afterMillis: 0 })
  assert.ok(performance.now() - beginMillis < 30_000)
  const sender = senderOf({ timeoutMillis: 60_000 })
  receiver.reply = () => ({ status: 201, body: 'x'.repeat(4_000_000) })
  assert.deepEqual(await sender.send(noticeTo(receiver.endpoint('/'))), { kind: 'delivered' })
  const nobody = await sender.send(noticeTo('http://127.0.0.1:1/'))
  assert.deepEqual(nobody, { kind: 'retry', afterMillis: 0 })
})

test('private addresses, and names that resolve to one, are not called unless allowed', async () => {
  const rules = { allowPrivate: false, allowedHosts: ['push.example'] }
  const refused = { kind: 'refused' }
  for (const endpoint of [receiver.endpoint('/'), 'https://127.0.0.1/', 'https://other.example/']) {
    assert.deepEqual(await senderOf(rules).send(noticeTo(endpoint)), refused)
  }
  for (const addresses of [['127.0.0.1'], ['8.8.8.8', '10.0.0.1'], ['::ffff:127.0.0.1']]) {
    const sender = senderOf({ ...rules, resolve: namesOf(addresses) })
    assert.deepEqual(await sender.send(noticeTo('https://push.example/1')), refused)
  }
  assert.equal(receiver.requests.length, 0)
})

test('a name is resolved once: the checked address is the one that is connected to', async () => {
  // Asked a second time it would stand for somewhere else; and no other asking would find it at all.
  const resolve = namesOf(['127.0.0.1'], ['203.0.113.1'])
  const sender = senderOf({ allowedHosts: ['push.example'], resolve })
  const endpoint = `http://push.example:${receiver.port}/pinned`
  assert.deepEqual(await sender.send(noticeTo(endpoint)), { kind: 'delivered' })
  assert.equal(asked, 1)
  assert.equal(receiver.requests[0]!.headers.host, `push.example:${receiver.port}`)
})

test('a notification with invalid keys fails without a request', async () => {
  const notice = { ...noticeTo(receiver.endpoint('/')), keys: Buffer.alloc(81).toString('base64') }
  assert.deepEqual(await senderOf().send(notice), { kind: 'failed' })
  assert.equal(receiver.requests.length, 0)
})
