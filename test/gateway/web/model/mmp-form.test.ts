import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  mmpFault,
  mmpStateText,
  mmpTermsOf,
  mmpTextsOf,
  mmpUse,
} from '../../../../gateway/web/model/mmp-form.js'

const texts = {
  ...{ currency: 'BTC', interval: '2.5', frozen: '0' },
  ...{ quantity: '10', delta: '', vega: '1.5' },
}
const config = {
  ...{ wallet_address: `0x${'ab'.repeat(20)}`, currency: 'BTC', enabled: true, nonce: 1 },
  ...{ interval_ms: 2500, frozen_time_ms: 0, frozen: false, frozen_until_ms: null },
  ...{ qty_limit: '10', delta_limit: null, vega_limit: '1.5' },
  window: { qty: '4', delta: '-3', vega: '-6' },
}

test('an invalid protection fails before it is signed', () => {
  assert.equal(mmpFault(texts), null)
  assert.match(mmpFault({ ...texts, currency: '' })!, /Select/)
  for (const interval of ['', '0', '-1', '1e3']) {
    assert.match(mmpFault({ ...texts, interval })!, /window/)
  }
  assert.match(mmpFault({ ...texts, frozen: 'x' })!, /freeze/)
  assert.match(mmpFault({ ...texts, delta: '0' })!, /Delta/)
  assert.match(mmpFault({ ...texts, quantity: '', vega: '' })!, /at least one/)
})

test('it is requested in milliseconds, without empty limits', () => {
  assert.deepEqual(mmpTermsOf(texts), {
    ...{ currency: 'BTC', intervalMs: 2500, frozenTimeMs: 0 },
    ...{ qtyLimit: '10', vegaLimit: '1.5' },
  })
})

test('the current protection fills the form', () => {
  assert.deepEqual(mmpTextsOf(config), texts)
})

test('a sum of either sign uses up its limit, and no more than all of it', () => {
  assert.deepEqual(mmpUse(config, 'qty'), { text: '4 of 10', share: 0.4 })
  assert.deepEqual(mmpUse(config, 'vega'), { text: '-6 of 1.5', share: 1 })
  assert.deepEqual(mmpUse(config, 'delta'), { text: 'no limit', share: null })
})

test('a freeze shows its end', () => {
  assert.equal(mmpStateText(config, 0), 'active')
  assert.match(mmpStateText({ ...config, frozen: true }, 0), /until reset/)
  const frozen = { ...config, frozen: true, frozen_until_ms: 2500 }
  assert.equal(mmpStateText(frozen, 0), 'frozen, 3 s left')
  assert.equal(mmpStateText(frozen, 9000), 'frozen, 0 s left')
})
