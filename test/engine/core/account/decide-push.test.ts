import assert from 'node:assert/strict'
import { test } from 'node:test'
import { publishBootstrap } from '../../../../engine/core/operator/bootstrap.js'
import { PushActionKind } from '../../../../schemas/record-values.js'
import { PushRig } from '../../../support/push-rig.js'

const openRig = () => new PushRig().opened()

test('a subscription is published, and ends by its endpoint', () => {
  const rig = openRig()
    .subscribe(1, 'https://a/1')
    .subscribe(2, 'https://a/1')
    .unsubscribe(1, 'https://a/1')
  rig.unsubscribe(1, 'https://a/1')
  assert.deepEqual(rig.story(), [
    '1 Subscribed 1 https://a/1',
    'Accepted 7 0',
    '2 Subscribed 2 https://a/1',
    'Accepted 7 0',
    '1 Removed 1 https://a/1',
    'Accepted 7 1',
    'Accepted 7 0',
  ])
})

test('the same endpoint again replaces the first subscription, as the newest', () => {
  const rig = openRig().subscribe(1, 'a').subscribe(1, 'b').subscribe(1, 'a')
  assert.deepEqual(
    rig.story().filter((line) => !line.startsWith('Accepted')),
    ['1 Subscribed 1 a', '1 Subscribed 2 b', '1 Removed 1 a', '1 Subscribed 3 a'],
  )
  assert.deepEqual(
    rig.state.push.subscriptionsOf(0).map(({ endpoint }) => endpoint),
    ['b', 'a'],
  )
})

test('an eleventh subscription evicts the oldest', () => {
  const rig = openRig()
  for (let number = 1; number <= 10; number++) rig.subscribe(1, `e${number}`)
  rig.story()
  assert.deepEqual(rig.subscribe(1, 'e11').story(), [
    '1 Removed 1 e1',
    '1 Subscribed 11 e11',
    'Accepted 7 0',
  ])
  assert.equal(rig.state.push.subscriptionsOf(0).length, 10)
})

test('preferences change the named topics, and remain without any subscription', () => {
  const rig = openRig().prefer(1, 1, 0).prefer(1, 6, 2).subscribe(1, 'a').prefer(1, 1, 1)
  assert.deepEqual(rig.story(), [
    '1 Preferences topics 6',
    'Accepted 6 0',
    '1 Preferences topics 2',
    'Accepted 2 0',
    '1 Subscribed 1 a',
    'Accepted 2 0',
    '1 Preferences topics 3',
    'Accepted 3 0',
  ])
})

test('requests that no gateway accepts fail', () => {
  const rig = openRig().prefer(1, 0, 0).prefer(1, 8, 8).prefer(1, 1, 2).subscribe(1, '')
  rig.act(1, { kind: 9 as PushActionKind }, 'a').act(1, { kind: PushActionKind.Unsubscribe }, '')
  rig.subscribe(1, 'x'.repeat(2049))
  assert.deepEqual(rig.story(), Array(7).fill('ValueRefused 0 0'))
})

test('a dropped subscription is removed by its number; a renewed one stays', () => {
  const rig = openRig().subscribe(1, 'a')
  rig.story()
  rig.subscribe(1, 'a')
  rig.story()
  assert.deepEqual(rig.drop(1, 1).drop(2, 2).drop(66, 2).story(), Array(3).fill('Accepted 0 0'))
  assert.deepEqual(rig.drop(1, 2).story(), ['1 Removed 2 a', 'Accepted 0 0'])
  assert.equal(rig.state.push.subscriptionsOf(0).length, 0)
})

test('a stranger cannot subscribe a wallet, and a duplicate gets the result of the first', () => {
  const rig = openRig().subscribe(1, 'a', { signer: 2 }).subscribe(66, 'a')
  const signed = { nonce: 5, digest: 9 }
  rig.subscribe(1, 'a', signed).subscribe(1, 'b', signed)
  assert.deepEqual(rig.story(), [
    'Unauthorized 0 0',
    'NoAccount 0 0',
    '1 Subscribed 1 a',
    'Accepted 7 0',
    'Accepted 7 0',
  ])
})

test('subscriptions and preferences survive a snapshot, and are published again at a start', () => {
  const rig = openRig().subscribe(1, 'a').subscribe(1, 'b').prefer(2, 4, 0).subscribe(3, 'c')
  rig.unsubscribe(3, 'c').story()
  const restored = new PushRig()
  restored.restore(rig.save())
  assert.deepEqual({ ...restored.state.hash }, { ...rig.state.hash })
  assert.deepEqual([...restored.state.push.rows()].length, 2)
  publishBootstrap(restored.state, () => {})
  assert.deepEqual(restored.story(), ['1 Bootstrap 1 a', '1 Bootstrap 2 b', '2 Bootstrap topics 3'])
  assert.deepEqual(restored.subscribe(3, 'd').story(), ['3 Subscribed 4 d', 'Accepted 7 0'])
})

test('without subscriptions and preferences, only the number of former ones is in the hash', () => {
  const [one, other] = [openRig(), openRig()]
  one.subscribe(1, 'a').prefer(1, 1, 0).prefer(1, 1, 1).unsubscribe(1, 'a').story()
  other.subscribe(2, 'b').prefer(2, 1, 0).prefer(2, 1, 1).unsubscribe(2, 'b').story()
  assert.equal([...one.state.push.rows()].length, 0)
  const restored = new PushRig()
  restored.restore(one.save())
  assert.deepEqual({ ...restored.state.hash }, { ...one.state.hash })
})
