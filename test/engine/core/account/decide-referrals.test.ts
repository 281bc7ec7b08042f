import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CommandType } from '../../../../schemas/generated/commands.js'
import { ReferralRig } from '../../../support/referral-rig.js'

const openRig = () => new ReferralRig().opened()

test('a wallet has one code for good, and no other wallet has the same', () => {
  const rig = openRig()
    .code(1, 'ALPHA')
    .code(2, 'ALPHA')
    .code(1, 'BETA')
    .code(1, 'ALPHA')
    .code(2, 'BETA')
  assert.deepEqual(rig.story(), [
    '1 has ALPHA, came 0 by itself',
    'Accepted',
    'ReferralCodeTaken',
    'ReferralCodeKept',
    'ReferralCodeKept',
    '2 has BETA, came 0 by itself',
    'Accepted',
  ])
})

test('codes that no gateway accepts fail', () => {
  const rig = openRig().code(1, 'AB').code(1, 'alpha').code(1, 'A B').code(1, '').code(1, 'A-_9')
  const refused = ['ValueRefused', 'ValueRefused', 'ValueRefused', 'ValueRefused']
  assert.deepEqual(rig.story(), [...refused, '1 has A-_9, came 0 by itself', 'Accepted'])
})

test('a referrer is the owner of the code, and remains', () => {
  const rig = openRig().code(1, 'ALPHA').code(2, 'BETA')
  rig.story()
  rig.refer(3, 'ALPHA', 2).refer(3, 'GAMMA', 1).refer(3, 'ALPHA', 77).refer(3, 'ALPHA', 1)
  rig.refer(3, 'ALPHA', 1).refer(3, 'BETA', 2).refer(4, 'ALPHA', 1)
  assert.deepEqual(rig.story(), [
    'ReferrerNotOwner',
    'ReferralCodeUnknown',
    'ReferrerNotOwner',
    '3 has no code, came 1 by 1',
    'Accepted',
    'ReferrerKept',
    'ReferrerKept',
    '4 has no code, came 2 by 1',
    'Accepted',
  ])
})

test('no wallet refers itself or a referrer above it, at any distance', () => {
  const rig = openRig()
  const codes = ['', 'C-1', 'C-2', 'C-3', 'C-4', 'C-5']
  for (let wallet = 1; wallet <= 5; wallet++) rig.code(wallet, codes[wallet]!)
  rig.story()
  assert.deepEqual(rig.refer(1, 'C-1', 1).story(), ['ReferrerIsWallet'])
  rig.refer(2, 'C-1', 1).refer(3, 'C-2', 2).refer(4, 'C-3', 3).story()
  for (const last of [2, 3, 4]) {
    assert.deepEqual(rig.refer(1, codes[last]!, last).story(), ['ReferrerReferred'])
  }
  // Another tree may be hung below the last of this one, and only then is above its own.
  rig.refer(5, 'C-4', 4).story()
  assert.deepEqual(rig.refer(1, 'C-5', 5).story(), ['ReferrerReferred'])
  assert.deepEqual(rig.refer(6, 'C-5', 5).story(), ['6 has no code, came 5 by 5', 'Accepted'])
})

test('the union of two trees detects a circle through both', () => {
  const rig = openRig()
  for (const wallet of [1, 2, 3, 4]) rig.code(wallet, `C-${wallet}`)
  rig.refer(2, 'C-1', 1).refer(4, 'C-3', 3).story()
  // The referrers of wallet 4 are looked up before its tree moves.
  assert.deepEqual(rig.refer(3, 'C-4', 4).story(), ['ReferrerReferred'])
  rig.refer(3, 'C-2', 2).story()
  assert.deepEqual(rig.refer(1, 'C-4', 4).story(), ['ReferrerReferred'])
})

test('an agent may set a referrer and a stranger may not; a wallet without an account gets no code', () => {
  const rig = openRig()
  rig.agent(CommandType.ApproveAgent, 1, 8)
  rig.run()
  rig.events()
  rig.code(1, 'ALPHA', { signer: 7 }).code(1, 'ALPHA', { signer: 8 }).code(66, 'SIXTY')
  rig.refer(2, 'ALPHA', 1, { signer: 1 }).refer(66, 'ALPHA', 1)
  assert.deepEqual(rig.story(), [
    'Unauthorized',
    '1 has ALPHA, came 0 by itself',
    'Accepted',
    'NoAccount',
    'Unauthorized',
    'NoAccount',
  ])
})

test('a duplicate gets the result of the first, and a failure does not burn the nonce', () => {
  const rig = openRig()
  const [first, second] = [
    { nonce: 5, digest: 1 },
    { nonce: 5, digest: 2 },
  ]
  rig.code(1, 'ALPHA').code(2, 'ALPHA', first).code(2, 'BETA', second).code(2, 'BETA', second)
  rig.code(2, 'GAMMA', first)
  assert.deepEqual(rig.story(), [
    '1 has ALPHA, came 0 by itself',
    'Accepted',
    'ReferralCodeTaken',
    '2 has BETA, came 0 by itself',
    'Accepted',
    'Accepted',
    'NonceUsed',
  ])
})

test('codes and referrers survive a snapshot, with all levels above a wallet', () => {
  const rig = openRig().code(1, 'ALPHA').code(2, 'BETA').refer(2, 'ALPHA', 1).refer(3, 'BETA', 2)
  rig.story()
  const restored = new ReferralRig()
  restored.restore(rig.save())
  assert.deepEqual({ ...restored.state.hash }, { ...rig.state.hash })
  for (const each of [rig, restored]) {
    each
      .code(3, 'GAMMA')
      .code(4, 'BETA')
      .refer(1, 'BETA', 2)
      .refer(2, 'BETA', 2)
      .refer(4, 'ALPHA', 1)
    assert.deepEqual(each.story().slice(-6), [
      'Accepted',
      'ReferralCodeTaken',
      'ReferrerReferred',
      'ReferrerKept',
      '4 has no code, came 3 by 1',
      'Accepted',
    ])
  }
})

test('without codes and referrers the hash has no part for them; otherwise each has its own', () => {
  const [one, other] = [openRig(), openRig()]
  const before = { ...one.state.hash }
  one.code(1, 'ALPHA').story()
  other.code(1, 'ALPHB').story()
  assert.notDeepEqual({ ...one.state.hash }, before)
  assert.notDeepEqual({ ...one.state.hash }, { ...other.state.hash })
})
