import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { GatewayContext } from '../../../gateway/gateway-context.js'
import { writeBulk } from '../../../gateway/http/bulk.js'
import { cancelOrder } from '../../../gateway/http/cancel-order.js'
import { placeOrder } from '../../../gateway/http/place-order.js'
import { replaceOrder } from '../../../gateway/http/replace-order.js'
import type { HttpCall } from '../../../gateway/transport.js'
import { hubRig } from '../../support/hub-rig.js'

type Write = (context: GatewayContext, call: HttpCall) => void
const placeBulk: Write = (context, call) => writeBulk(context, call, 'orders')
const replaceBulk: Write = (context, call) => writeBulk(context, call, 'replacements')
const cancelBulk: Write = (context, call) => writeBulk(context, call, 'cancels')

/** A call whose body is not even JSON: who answers 503 has not looked. */
function unreadCall() {
  const answers: { status: number; code: string }[] = []
  const call: HttpCall = {
    method: 'POST',
    path: '/order',
    query: '',
    requestId: '',
    authorization: '',
    host: '',
    address: Uint8Array.of(127, 0, 0, 1),
    body: Buffer.from('not JSON'),
    answer: (status, body) => {
      answers.push({ status, code: JSON.parse(String(body)).code })
    },
  }
  return { call, answers }
}

for (const handler of [placeOrder, replaceOrder, placeBulk, replaceBulk]) {
  test(`${handler.name} is refused unread when its turn has no time left`, (context) => {
    const rig = hubRig()
    context.mock.method(rig.context.turn, 'take', () => false)
    const { call, answers } = unreadCall()
    handler(rig.context, call)
    assert.deepEqual(answers, [{ status: 503, code: 'engine_busy' }])
  })
}

for (const handler of [cancelOrder, cancelBulk]) {
  test(`${handler.name} is taken however long the turn is`, (context) => {
    const rig = hubRig()
    context.mock.method(rig.context.turn, 'take', () => false)
    const { call, answers } = unreadCall()
    handler(rig.context, call)
    assert.deepEqual(answers, [{ status: 400, code: 'invalid_json' }])
  })
}
