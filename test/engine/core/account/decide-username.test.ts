import assert from 'node:assert/strict'
import { test } from 'node:test'
import { publishBootstrap } from '../../../../engine/core/operator/bootstrap.js'
import { engineConfigDefault } from '../../../../engine/state/market/engine-config.js'
import { EventType, UsernameEvent } from '../../../../schemas/generated/events.js'
import { OutcomeFlag, UsernameChange, UsernameVerdict } from '../../../../schemas/record-values.js'
import { Result } from '../../../../schemas/results.js'
import { CoreRig } from '../../../support/core-rig.js'
import { judgeUsername, requestUsername } from '../../../support/username-rig.js'

const { Approved, Bootstrap, Rejected, Requested } = UsernameChange
const event = new UsernameEvent()

function moderated(): CoreRig {
  const rig = new CoreRig().openMarket()
  const { usernames } = engineConfigDefault
  rig.configure({ ...engineConfigDefault, usernames: { ...usernames, moderated: true } })
  rig.run().events()
  return rig
}

/** Returns the username events: change, name, requested name. */
function usernameEvents(rig: CoreRig): [change: number, username: string, pending: string][] {
  const seen: [number, string, string][] = []
  rig.eventsFor((one) => {
    if (one.recordType !== EventType.Username) return
    const { change, usernameText, pendingText } = event.of(one)
    seen.push([change, usernameText, pendingText])
  })
  return seen
}

const ask = (rig: CoreRig, wallet: number, name: string) =>
  rig.outcome(requestUsername(rig, wallet, name))
const judge = (rig: CoreRig, wallet: number, verdict: UsernameVerdict, name = '') =>
  rig.outcome(judgeUsername(rig, wallet, verdict, name))['result']
const namesOf = (rig: CoreRig, wallet: number) => {
  const { username, pending } = rig.state.usernames.namesOf(wallet - 1)
  return [username, pending]
}

test('a wallet has its name at once, and another name replaces it', () => {
  const rig = new CoreRig().openMarket()
  const { result, side } = ask(rig, 1, 'alice')
  assert.deepEqual([result, side], [Result.Accepted, Approved])
  requestUsername(rig, 1, 'alicia')
  assert.deepEqual(usernameEvents(rig.run()), [[Approved, 'alicia', '']])
  assert.equal(ask(rig, 2, 'alice')['result'], Result.Accepted, 'it is free again')
  assert.deepEqual(
    [namesOf(rig, 1), namesOf(rig, 2)],
    [
      ['alicia', ''],
      ['alice', ''],
    ],
  )
})

test('of two requests for a name in one batch the first wins, and the second does not burn its nonce', () => {
  const rig = new CoreRig().openMarket()
  const [first, second] = [
    requestUsername(rig, 1, 'alice'),
    requestUsername(rig, 2, 'alice', { nonce: 77 }),
  ]
  const answers = rig.run().events()
  const resultOf = (request: number) =>
    answers.find(({ fields }) => fields['request'] === request)?.fields['result']
  assert.deepEqual([resultOf(first), resultOf(second)], [Result.Accepted, Result.UsernameTaken])
  const again = rig.outcome(requestUsername(rig, 2, 'bob', { nonce: 77, digest: 78 }))
  assert.equal(again['result'], Result.Accepted)
})

test('reserved and malformed names fail, and so do names like derived ones', () => {
  const rig = new CoreRig().openMarket()
  assert.equal(ask(rig, 1, 'admin')['result'], Result.UsernameReserved)
  for (const name of ['ab', 'Alice', '0x12', '1ab', 'a-b-c', 'alice ']) {
    assert.equal(ask(rig, 1, name)['result'], Result.ValueRefused, name)
  }
  assert.equal(rig.outcome(requestUsername(rig, 99, 'nobody'))['result'], Result.NoAccount)
  assert.deepEqual([...rig.state.usernames.accounts], [])
})

test('a wallet keeps its name when the name becomes reserved', () => {
  const rig = new CoreRig().openMarket()
  ask(rig, 1, 'alice')
  rig.configure({ ...engineConfigDefault, usernames: { moderated: true, reserved: ['alice'] } })
  assert.equal(ask(rig, 1, 'alice')['result'], Result.Accepted)
  assert.equal(ask(rig, 2, 'alice')['result'], Result.UsernameReserved)
})

test('moderated names wait for the operator, and are reserved until then', () => {
  const rig = moderated()
  assert.equal(ask(rig, 1, 'alice')['side'], Requested)
  assert.equal(ask(rig, 2, 'alice')['result'], Result.UsernameTaken)
  assert.deepEqual(namesOf(rig, 1), ['', 'alice'])
  assert.equal(judge(rig, 1, UsernameVerdict.Approved), Result.Accepted)
  assert.deepEqual(namesOf(rig, 1), ['alice', ''])
  assert.equal(judge(rig, 1, UsernameVerdict.Approved), Result.NotFound, 'it is judged')
})

test('a name is published when it is requested, approved and rejected; a rejected one is free, and the old one stays', () => {
  const rig = moderated()
  requestUsername(rig, 1, 'alice')
  judgeUsername(rig, 1)
  requestUsername(rig, 1, 'alicia')
  judgeUsername(rig, 1, UsernameVerdict.Rejected)
  assert.deepEqual(usernameEvents(rig.run()), [
    [Requested, '', 'alice'],
    [Approved, 'alice', ''],
    [Requested, 'alice', 'alicia'],
    [Rejected, 'alice', ''],
  ])
  assert.equal(ask(rig, 2, 'alicia')['result'], Result.Accepted)
})

test('a wallet has one pending name: a new request frees the earlier one, and so does its current name', () => {
  const rig = moderated()
  ask(rig, 1, 'alice')
  judge(rig, 1, UsernameVerdict.Approved)
  ask(rig, 1, 'first')
  ask(rig, 1, 'second')
  assert.equal(ask(rig, 2, 'first')['result'], Result.Accepted)
  assert.equal(ask(rig, 1, 'alice')['side'], Approved)
  assert.deepEqual(namesOf(rig, 1), ['alice', ''])
  assert.equal(ask(rig, 3, 'second')['result'], Result.Accepted)
})

test('a verdict with a name applies to that name only', () => {
  const rig = moderated()
  ask(rig, 1, 'harmless')
  ask(rig, 1, 'harmful')
  assert.equal(judge(rig, 1, UsernameVerdict.Approved, 'harmless'), Result.Conflict)
  assert.deepEqual(namesOf(rig, 1), ['', 'harmful'])
  assert.equal(judge(rig, 1, UsernameVerdict.Rejected, 'harmful'), Result.Accepted)
  assert.deepEqual(namesOf(rig, 1), ['', ''])
})

test('a verdict without a request, for an unknown wallet, or of an unknown kind fails', () => {
  const rig = moderated()
  for (const wallet of [1, 99]) {
    assert.equal(judge(rig, wallet, UsernameVerdict.Rejected), Result.NotFound)
  }
  assert.equal(judge(rig, 1, 3 as UsernameVerdict), Result.ValueRefused)
})

test('a retried request gets the first answer, whatever happened to it since', () => {
  const rig = moderated()
  const signed = { nonce: 5, digest: 9 }
  rig.outcome(requestUsername(rig, 1, 'alice', signed))
  judge(rig, 1, UsernameVerdict.Rejected)
  const repeat = rig.outcome(requestUsername(rig, 1, 'alice', signed))
  assert.deepEqual([repeat['flags'], repeat['side']], [OutcomeFlag.Repeat, Requested])
  assert.deepEqual(namesOf(rig, 1), ['', ''])
})

test('names survive a snapshot, and names without an owner are not in the state', () => {
  const rig = moderated()
  const { low, high } = rig.state.hash
  ask(rig, 1, 'alice')
  judge(rig, 1, UsernameVerdict.Approved)
  ask(rig, 2, 'bob')
  const copy = new CoreRig()
  copy.restore(rig.save())
  assert.deepEqual({ ...copy.state.hash }, { ...rig.state.hash })
  assert.notDeepEqual([low, high], [rig.state.hash.low, rig.state.hash.high])
  publishBootstrap(copy.state, () => {})
  assert.deepEqual(usernameEvents(copy), [
    [Bootstrap, 'alice', ''],
    [Bootstrap, '', 'bob'],
  ])
  assert.equal(ask(copy, 3, 'alice')['result'], Result.UsernameTaken)
})
