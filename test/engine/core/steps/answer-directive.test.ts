import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  DeliveryStatus,
  DirectiveAction,
  DomainStatus,
  neverMillis,
  Right,
} from '../../../../schemas/domain.js'
import { EventType } from '../../../../schemas/generated/events.js'
import { PerpScheme } from '../../../../schemas/record-values.js'
import { Result } from '../../../../schemas/results.js'
import { CoreRig } from '../../../support/core-rig.js'
import type { RigEvent } from '../../../support/rig-event.js'

const perpOfBtc = { underlying: 'BTC', expiryDate: 0, strike: 0, right: Right.None }
const directive = { perp: { asset: 1, scheme: PerpScheme.Directive } }
const bid = { wallet: 1, side: 'Buy', price: '3000', size: '1', ...directive } as const

function perpRig(): CoreRig {
  const rig = new CoreRig().openMarket()
  rig.list(perpOfBtc, neverMillis)
  rig.run().events()
  return rig
}

/** Returns the directive events: action and status. */
function directivesIn(events: readonly RigEvent[]) {
  return events
    .filter(({ type }) => type === EventType.Directive)
    .map(({ fields }) => [fields['action'], fields['domain'], fields['delivery'], fields['reason']])
}

const done = [DomainStatus.Completed, DeliveryStatus.Finalized, Result.Accepted] as const
const refused = (reason: Result) =>
  [DomainStatus.Rejected, DeliveryStatus.CoreRejected, reason] as const

test('each executed action is published as final, once, before its result', () => {
  const rig = perpRig()
  const { LimitOrder, CancelByCloid, CancelByOid, SetAbstraction, UpdateApiWallet } =
    DirectiveAction
  rig.place({ ...bid, clientId: 'a' })
  const order = rig.place({ ...bid, nonce: 7 })
  const [first, second] = rig
    .run()
    .events()
    .filter(({ type }) => type === EventType.Outcome)
  assert.equal(second!.fields['request'], order)
  rig.cancelClient(1, 'a', directive)
  rig.cancel(1, second!.fields['orderId']!, directive)
  rig.apiWallet(1, 1, 60)
  rig.abstraction(1, 2)
  const events = rig.run().events()
  assert.deepEqual(directivesIn(events), [
    [CancelByCloid, ...done],
    [CancelByOid, ...done],
    [UpdateApiWallet, ...done],
    [SetAbstraction, ...done],
  ])
  for (const [place, { type }] of events.entries()) {
    if (type === EventType.Directive) assert.equal(events[place + 1]!.type, EventType.Outcome)
  }
  assert.ok(first)
  rig.place({ ...bid, nonce: 7 })
  assert.deepEqual(directivesIn(rig.run().events()), [], 'a duplicate publishes no directive')
  rig.place({ ...bid, nonce: 8 })
  assert.deepEqual(directivesIn(rig.run().events()), [[LimitOrder, ...done]])
})

test('a rejected directive is published with its reason, and an error is not published', () => {
  const rig = perpRig()
  const { LimitOrder, CancelByCloid } = DirectiveAction
  rig.place({ ...bid, size: '400', price: '100000' })
  rig.place({ ...bid, perp: { asset: 99, scheme: PerpScheme.Directive } })
  rig.cancelClient(1, 'nobody', directive)
  rig.place({ ...bid, signer: 77 })
  rig.place({ ...bid, wallet: 99 })
  rig.abstraction(1, 3)
  assert.deepEqual(directivesIn(rig.run().events()), [
    [LimitOrder, ...refused(Result.InsufficientMargin)],
    [LimitOrder, ...refused(Result.PerpMissingUnderlying)],
    [CancelByCloid, ...refused(Result.ClientIdNotFound)],
  ])
})

test('orders and actions that are not directives are published without one', () => {
  const rig = perpRig()
  rig.place({ ...bid, perp: { asset: 1 } })
  rig.place({ ...bid, perp: { asset: 99 } })
  rig.place({ wallet: 1, side: 'Buy', price: '3000', size: '1' })
  rig.selfTrade(1, 1)
  assert.deepEqual(directivesIn(rig.run().events()), [])
})
