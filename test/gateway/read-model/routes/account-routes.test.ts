import assert from 'node:assert/strict'
import { test } from 'node:test'
import { walletOf } from '../../../../bench/event-script.js'
import { SelfTradeMode } from '../../../../schemas/domain.js'
import { AccountChange } from '../../../../schemas/record-values.js'
import { alice, market } from '../../../support/market-bench.js'

test('/self-trade-prevention returns the mode, the default one for an unknown wallet', () => {
  const bench = market()
  const { body } = bench.get(`/self-trade-prevention?wallet=${alice}`)
  assert.deepEqual(body, {
    success: true,
    data: { wallet: alice, mode: 'cancel_taker' },
    error: null,
    as_of_seq: 0,
  })
  const change = AccountChange.Modes
  const selfTrade = SelfTradeMode.CancelBoth
  bench.script.account({ account: 0, wallet: alice, cashMicros: 0, change, selfTrade })
  const modeOf = (wallet: string) =>
    bench.get(`/self-trade-prevention?wallet=${wallet}`).body.data.mode
  assert.deepEqual([modeOf(alice), modeOf(walletOf(99))], ['cancel_both', 'cancel_taker'])
})
