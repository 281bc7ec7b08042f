import assert from 'node:assert/strict'
import { test } from 'node:test'
import { signCancelOrder, signPlaceOrder } from '../../../gateway/client/signed-actions.js'
import { createSigner } from '../../../gateway/client/signer.js'
import { hubRig } from '../../support/hub-rig.js'

const signer = createSigner(`${'0'.repeat(63)}7`)
const terms = { symbol: 'BTC-20300628-100000-C', side: 'Buy', size: '1', price: '5' } as const

function rigOf(values: Readonly<Record<string, string>> = {}) {
  const rig = hubRig(values)
  const { domain } = rig.context.signing
  const context = { domain, signer, wallet: signer.address }
  const frame = (nonce: number) => ({
    type: 'PlaceOrder',
    ...signPlaceOrder(context, { ...terms, clientId: `c${nonce}` }, nonce),
  })
  const cancel = (nonce: number) => ({
    type: 'CancelOrder',
    ...signCancelOrder(context, 7, nonce),
  })
  return { ...rig, frame, cancel }
}

test('with the maximum number in flight on a connection, an order fails unread', () => {
  const { connect, context, frame } = rigOf({ 'stream.commandsInFlightMax': '2' })
  const { say } = connect()
  assert.deepEqual(say(frame(1)), [])
  assert.deepEqual(say(frame(2)), [])
  const [answer] = say(frame(3)) as readonly Record<string, unknown>[]
  const { type, code, nonce, client_id, request_type } = answer
  assert.deepEqual(
    { type, code, nonce, client_id, request_type },
    {
      type: 'Error',
      code: 'engine_busy',
      nonce: 3,
      client_id: 'c3',
      request_type: 'PlaceOrder',
    },
  )
  assert.equal(context.signing.checked, 2, 'its signature costs nothing')
  assert.equal(context.port.waiting, 2)
  assert.deepEqual(connect().say(frame(4)), [], 'another connection has its own')
})

test('an order that its turn has no time for fails the same way', (context) => {
  const { connect, frame, cancel, context: gateway } = rigOf()
  const { say } = connect()
  context.mock.method(gateway.turn, 'take', () => false)
  const [answer] = say(frame(1)) as readonly Record<string, unknown>[]
  assert.equal(answer['code'], 'engine_busy')
  assert.equal(gateway.signing.checked, 0)
  assert.deepEqual(say(cancel(2)), [], 'there is always time for a cancel')
  assert.equal(gateway.port.waiting, 1)
})

test('cancels in flight count as commands, too', () => {
  const { connect, cancel, frame } = rigOf({ 'stream.commandsInFlightMax': '1' })
  const { say } = connect()
  assert.deepEqual(say(cancel(1)), [])
  for (const refused of [cancel(2), frame(3)]) {
    const [answer] = say(refused) as readonly Record<string, unknown>[]
    assert.deepEqual([answer['code'], answer['request_type']], ['engine_busy', refused.type])
  }
})

test('frames after the end of a connection are ignored', () => {
  const { connect, frame, context } = rigOf()
  const { say, socket } = connect()
  socket.close(1000, '')
  assert.deepEqual(say(frame(1)), [])
  assert.equal(context.port.waiting, 0)
})
