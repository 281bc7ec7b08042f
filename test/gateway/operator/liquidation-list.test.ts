import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LiquidationList } from '../../../gateway/operator/liquidation-list.js'
import type { LiquidationEntry } from '../../../gateway/wire/liquidation-entry.js'
import { LiquidationMode, LiquidationState } from '../../../schemas/record-values.js'

const walletOf = (digit: number) => `0x${String(digit).repeat(40)}`

function entryOf(digit: number, given: Partial<LiquidationEntry>): LiquidationEntry {
  return {
    ...{ wallet: walletOf(digit), state: LiquidationState.PreLiquidation, isWaiting: false },
    ...{ mode: LiquidationMode.None, isStanding: false, enteredMillis: 1000, deadlineMillis: 0 },
    ...{ equityMicros: 9_400_000, mmMicros: 9_600_000 },
    ...given,
  }
}

const inLiquidation = (mode: LiquidationMode) => ({
  ...{ state: LiquidationState.InLiquidation, mode },
})

function answered(list: LiquidationList, query = '') {
  const { status, body } = list.answer(query)
  assert.equal(status, 200, body)
  return JSON.parse(body)
}

test('a wallet is listed in its phase until it is healthy, with its amounts', () => {
  const list = new LiquidationList()
  list.take(entryOf(1, { deadlineMillis: 5000 }))
  const { data, pagination } = answered(list)
  assert.deepEqual(data, [
    {
      ...{ wallet: walletOf(1), state: 'pre_liquidation', liquidation_mode: null },
      ...{ waits_for_mark: false, timers_stand: false, entered_ts_ms: 1000, deadline_ts_ms: 5000 },
      ...{ equity: '9.4', mm_required: '9.6', shortfall: '0.2' },
    },
  ])
  assert.equal(pagination.total, 1)
  list.take(entryOf(1, { state: LiquidationState.Healthy }))
  assert.deepEqual(answered(list).data, [])
})

test('a healthy wallet whose check waits for a mark is listed, too', () => {
  const list = new LiquidationList()
  list.take(entryOf(1, { state: LiquidationState.Healthy, isWaiting: true }))
  const [row] = answered(list).data
  assert.deepEqual([row.state, row.waits_for_mark, row.entered_ts_ms], ['healthy', true, null])
})

test('wallets are sorted by phase, then by time in it; pages continue where one ended', () => {
  const list = new LiquidationList()
  list.take(entryOf(1, {}))
  list.take(entryOf(2, inLiquidation(LiquidationMode.Partial)))
  list.take(entryOf(3, { ...inLiquidation(LiquidationMode.Full), enteredMillis: 3000 }))
  list.take(entryOf(4, { ...inLiquidation(LiquidationMode.Full), enteredMillis: 2000 }))
  const walletsOf = (query: string) =>
    answered(list, query).data.map(({ wallet }: { wallet: string }) => wallet)
  assert.deepEqual(walletsOf(''), [4, 3, 2, 1].map(walletOf))
  assert.deepEqual(walletsOf('limit=2&offset=2'), [2, 1].map(walletOf))
  const { status, body } = list.answer('limit=0')
  assert.equal(status, 400, body)
})

test('a complete report replaces all earlier rows', () => {
  const list = new LiquidationList()
  list.take(entryOf(1, {}))
  list.take(null)
  list.take(entryOf(2, {}))
  assert.deepEqual(
    answered(list).data.map(({ wallet }: { wallet: string }) => wallet),
    [walletOf(2)],
  )
})
