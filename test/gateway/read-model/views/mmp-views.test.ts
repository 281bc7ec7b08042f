import assert from 'node:assert/strict'
import { test } from 'node:test'
import { publishBootstrap } from '../../../../engine/core/operator/bootstrap.js'
import {
  frozenUntilAt,
  MmpViews,
  windowMicrosAt,
} from '../../../../gateway/read-model/views/mmp-views.js'
import { mmpConfigJson } from '../../../../gateway/wire/mmp-text.js'
import { CommandType } from '../../../../schemas/generated/commands.js'
import { EventType, MmpEvent } from '../../../../schemas/generated/events.js'
import { formatNonce } from '../../../../schemas/nonce.js'
import { CoreRig } from '../../../support/core-rig.js'
import { MixedCommands } from '../../../support/mixed-commands.js'

/** Applies the events of the rig. */
function follow(rig: CoreRig, views: MmpViews): void {
  const mmp = new MmpEvent()
  rig.eventsFor((event) => {
    if (event.recordType === EventType.Mmp) views.apply(mmp.of(event))
  })
}

/** Every protection of the core is in the views, and no other. */
function assertSame(rig: CoreRig, views: MmpViews): number {
  let count = 0
  for (const row of rig.state.mmp.rows) {
    const view = views.of(row.account).get(row.underlying)
    assert.ok(view !== undefined, `account ${row.account}, underlying ${row.underlying}`)
    assert.deepEqual(view.sums, row.sums)
    assert.equal(view.count, row.count)
    assert.equal(view.frozenUntilMillis, row.frozenUntilMillis)
    assert.deepEqual(view.limitMicros, row.limitMicros)
    assert.equal(view.nonce, formatNonce(row.nonceHigh >>> 0, row.nonceLow >>> 0))
    count++
  }
  let viewCount = 0
  for (let account = 0; account < rig.state.accounts.count; account++) {
    viewCount += views.of(account).size
  }
  assert.equal(viewCount, count)
  return count
}

test('the views equal the core, and a bootstrap publishes them again', () => {
  const seed = Number(process.env['STRIKEBOOK_TEST_SEED'] ?? 5)
  const rig = new CoreRig()
  const views = new MmpViews()
  const commands = new MixedCommands(rig, seed)
  commands.open()
  let most = 0
  for (let step = 0; step < 1500; step++) {
    commands.next()
    rig.nowMillis += commands.below(300)
    rig.run()
    follow(rig, views)
    if (step % 50 === 0) most = Math.max(most, assertSame(rig, views))
  }
  assert.ok(most > 2, `seed ${seed}: ${most} protections at most`)
  publishBootstrap(rig.state, () => {})
  const fresh = new MmpViews()
  follow(rig, fresh)
  assertSame(rig, fresh)
})

test('sums and freeze are as of the time of the read', () => {
  const rig = new CoreRig().openMarket()
  const views = new MmpViews()
  rig.setMmp(1, { interval: 1000, frozen: 500, qty: 3 })
  rig.place({ wallet: 1, side: 'Sell', price: '3500', size: '9', mmpEnabled: true })
  rig.place({ wallet: 2, side: 'Buy', price: '3500', size: '2' })
  rig.run()
  follow(rig, views)
  const view = views.of(0).get(0)!
  const startMillis = rig.nowMillis
  assert.equal(windowMicrosAt(view, startMillis + 999)[0], 2e6)
  assert.deepEqual(windowMicrosAt(view, startMillis + 1000), [0, 0, 0])
  assert.equal(frozenUntilAt(view, startMillis), 0)
  rig.place({ wallet: 2, side: 'Buy', price: '3500', size: '4' })
  rig.run()
  follow(rig, views)
  assert.equal(frozenUntilAt(view, startMillis + 499), startMillis + 500)
  assert.equal(frozenUntilAt(view, startMillis + 500), 0)
  rig.resetMmp(1, 'BTC', CommandType.DeleteMmp)
  rig.run()
  follow(rig, views)
  assert.equal(views.of(0).size, 0)
})

test('a sum beyond the exact range is written as the largest exact one', () => {
  const { window } = mmpConfigJson({
    wallet: '0x',
    currency: 'BTC',
    intervalMillis: 1,
    frozenMillis: 0,
    limitMicros: [1, 0, 0],
    nonce: '1',
    frozenUntilMillis: 0,
    windowMicros: [1, -1_500_000, 2 ** 60],
  })
  assert.deepEqual(window, { qty: '0.000001', delta: '-1.5', vega: '9007199254.740991' })
})
