import assert from 'node:assert/strict'
import { test } from 'node:test'
import { followEvents } from '../../../../bench/follow-events.js'
import { publishBootstrap } from '../../../../engine/core/operator/bootstrap.js'
import { EventViews } from '../../../../gateway/read-model/views/event-views.js'
import { FundingRig, funded, hour, minute, perpId } from '../../../support/funding-rig.js'

/** Returns views that receive a bootstrap, as after a restart, and then the events of each batch. */
function followed(rig: FundingRig): { readonly views: EventViews; readonly step: () => boolean } {
  const views = new EventViews(rig.state.config)
  const read = () => {
    followEvents(rig.reader, (event) => views.apply(event))
  }
  const step = () => {
    const isStep = rig.step()
    read()
    return isStep
  }
  publishBootstrap(rig.state, () => {})
  read()
  return { views, step }
}

function assertSameCash(rig: FundingRig, { accounts, venue }: EventViews): void {
  for (let account = 0; account < rig.state.accounts.count; account++) {
    assert.equal(accounts.risk.cashMicros[account], rig.state.risk.cashMicros[account])
  }
  assert.equal(venue.funds.clearingMicros, rig.clearingMicros)
  assert.equal(venue.funds.dustMicros, rig.dustMicros)
}

test('the read model has the cash of each wallet after every batch of a funding hour', () => {
  const rig = new FundingRig(funded({ paymentsPerBatch: 1 })).openPerp('1.2345678')
  rig.index(99_999.123457)
  rig.quote('100000', '100200').minutes(59).events()
  const { views, step } = followed(rig)
  rig.nowMillis += minute
  let batches = 0
  while (step()) {
    batches++
    assertSameCash(rig, views)
    assertSameCash(rig, followed(rig).views)
  }
  assert.ok(batches >= 2)
})

test('the rate of the last hour is known, also after a restart and during its payments', () => {
  const rig = new FundingRig(funded({ paymentsPerBatch: 1 })).openPerp()
  rig.quote('100000', '100040').minutes(59).events()
  const { views, step } = followed(rig)
  const rate = () => views.market.fundingRates.get(perpId)
  assert.equal(rate(), undefined)
  rig.nowMillis += minute
  step()
  const end = Date.UTC(2026, 0, 1, 1)
  const first = { rateNanos: 200_000, endMillis: end }
  assert.deepEqual(rate(), first)
  assert.equal(rig.state.fundings.rounds.length, 1, 'still being paid')
  // One minute of the next hour has been sampled; an hour later the first batch finds that hour over, too.
  rig.nowMillis += hour
  step()
  const second = { rateNanos: 200_000, endMillis: end + hour }
  assert.deepEqual(rate(), second)
  while (step());
  assert.deepEqual(rate(), second, 'the end of the first round changes nothing')
  assert.deepEqual(followed(rig).views.market.fundingRates.get(perpId), second)
})
