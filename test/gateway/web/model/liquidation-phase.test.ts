import assert from 'node:assert/strict'
import { test } from 'node:test'
import { phaseLeftText, phaseText } from '../../../../gateway/web/model/liquidation-phase.js'

const status = {
  ...{ state: 'in_liquidation', liquidation_mode: 'partial', waits_for_mark: false },
  ...{ timers_stand: false, deadline_ts_ms: 90_000 },
}

test('a phase is that of the mode, or of the state without one', () => {
  assert.equal(phaseText(status), 'Partial liquidation')
  assert.equal(
    phaseText({ ...status, state: 'pre_liquidation', liquidation_mode: null }),
    'Grace period',
  )
  assert.equal(
    phaseText({ ...status, waits_for_mark: true }),
    'Partial liquidation, waiting for a mark',
  )
  const waiting = { ...status, state: 'healthy', liquidation_mode: null, waits_for_mark: true }
  assert.equal(phaseText(waiting), 'Waiting for a mark')
})

test('its maximum duration is shown while its timers run', () => {
  assert.equal(phaseLeftText(status, 30_000), '60 s')
  assert.equal(phaseLeftText(status, -7_110_000), '2h 0m')
  assert.equal(phaseLeftText(status, 90_000), 'expired')
  assert.equal(phaseLeftText({ ...status, deadline_ts_ms: null }, 0), 'no deadline')
  assert.equal(phaseLeftText({ ...status, timers_stand: true }, 0), 'paused')
})
