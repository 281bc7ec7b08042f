import assert from 'node:assert/strict'
import { test } from 'node:test'
import { writeBulk } from '../../../gateway/http/bulk.js'
import { cancelOrder } from '../../../gateway/http/cancel-order.js'
import { placeOrder, replaceOrder } from '../../../gateway/http/place-order.js'
import type { Write } from '../../../gateway/http/served-paths.js'
import { Result } from '../../../schemas/results.js'
import { httpCall } from '../../support/http-call.js'
import { hubRig } from '../../support/hub-rig.js'

const placeBulk: Write = (context, call) => writeBulk(context, call, 'orders')
const replaceBulk: Write = (context, call) => writeBulk(context, call, 'replacements')
const cancelBulk: Write = (context, call) => writeBulk(context, call, 'cancels')

/** A call whose body is not even JSON: who is busy has not looked. */
const unreadCall = httpCall('POST', '/order', Buffer.from('not JSON'), () => {})

for (const handler of [placeOrder, replaceOrder, placeBulk, replaceBulk]) {
  test(`${handler.name} is refused unread when its turn has no time left`, (context) => {
    const rig = hubRig()
    context.mock.method(rig.context.turn, 'take', () => false)
    assert.equal(handler(rig.context, unreadCall)?.result, Result.EngineBusy)
  })
}

for (const handler of [cancelOrder, cancelBulk]) {
  test(`${handler.name} is taken however long the turn is`, (context) => {
    const rig = hubRig()
    context.mock.method(rig.context.turn, 'take', () => false)
    assert.equal(handler(rig.context, unreadCall)?.result, Result.InvalidJson)
  })
}
