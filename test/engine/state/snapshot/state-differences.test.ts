import assert from 'node:assert/strict'
import { test } from 'node:test'
import { StateReader, StateWriter } from '../../../../engine/memory/state-codec.js'
import type { CoreState } from '../../../../engine/state/core-state.js'
import { engineConfigDefault } from '../../../../engine/state/market/engine-config.js'
import { differencesOf } from '../../../../engine/state/snapshot/state-differences.js'
import { loadState, saveState } from '../../../../engine/state/snapshot/state-snapshot.js'
import type { Table } from '../../../../engine/tables/describe.js'
import { accounts, instruments, wallets } from '../../../../engine/tables/layouts/dense.js'
import { liquidations, perps, settlements } from '../../../../engine/tables/layouts/lifecycle.js'
import { orders } from '../../../../engine/tables/layouts/orders.js'
import { exposures } from '../../../../engine/tables/layouts/risk.js'
import { DeliveryStatus, DomainStatus } from '../../../../schemas/domain.js'
import { formatUuid } from '../../../../schemas/uuid.js'
import { replayCore } from '../../../simulation/run/replay-core.js'
import { simulate } from '../../../simulation/simulation.js'
import { still } from '../../../support/liquidation-rig.js'
import { WithdrawalRig } from '../../../support/withdrawal-rig.js'

type Cells = Record<string, { [row: number]: number }>
type Row = Record<string, number | boolean | bigint>

/** Row of each table in a state: its columns and the row's number, or the row itself. */
const places: readonly (readonly [Table, (state: CoreState) => [Cells, number] | Row | null])[] = [
  [instruments, (state) => [state.instruments as unknown as Cells, 0]],
  [accounts, (state) => (state.accounts.count > 0 ? cells(state.accounts, 0) : null)],
  [wallets, (state) => (state.accounts.count > 0 ? cells(state.risk, 0) : null)],
  [orders, orderOf],
  [exposures, exposureOf],
  [settlements, ({ settlements: { rows } }) => (rows[0] as unknown as Row) ?? null],
  [liquidations, ({ liquidations: { rows } }) => (rows[0] as unknown as Row) ?? null],
  [perps, ({ fundings }) => (fundings.perps[0] as unknown as Row) ?? null],
]

function cells(table: object, row: number): [Cells, number] {
  return [table as Cells, row]
}

function orderOf({ orderIndex, orders: store }: CoreState): [Cells, number] | null {
  let found: [Cells, number] | null = null
  orderIndex.forEachFinal((slot) => {
    found ??= cells(store, slot)
  })
  return found
}

function exposureOf({ accounts: { count }, risk }: CoreState): [Cells, number] | null {
  for (let account = 0; account < count; account++) {
    const row = risk.firstExposure[account]!
    if (row >= 0 && risk.exposures.positionLots[row] !== 0) return cells(risk.exposures, row)
  }
  return null
}

function reloaded(state: CoreState): CoreState {
  const writer = new StateWriter()
  saveState(state, writer)
  const other = replayCore(state.config, 1).state
  loadState(other, new StateReader(writer.result()))
  return other
}

function changed(value: number | boolean | bigint): number | boolean | bigint {
  if (typeof value === 'boolean') return !value
  if (typeof value === 'bigint') return value + 1n
  return Number.isFinite(value) ? value + 1 : 1
}

/** Changes one column of a row for a moment. @returns the reported differences. */
function reportOf(
  state: CoreState,
  other: CoreState,
  place: [Cells, number] | Row,
  column: string,
): string {
  const [row, key] = Array.isArray(place) ? [place[0][column]!, place[1]] : [place, column]
  const fields = row as Row
  const before = fields[key]!
  fields[key] = changed(before)
  const report = differencesOf(state, other).join('; ')
  fields[key] = before
  return report
}

/** The first has a row of each table as the code is now. */
const seeds = [28, ...Array.from({ length: 12 }, (_, index) => index + 1)]

test('a change in any column of any table is reported by its name', () => {
  const seen = new Set<string>()
  const disturb = (state: CoreState) => {
    if (state.batchNumber % 32 !== 0 || seen.size === places.length) return
    const other = reloaded(state)
    assert.deepEqual(differencesOf(state, other), [])
    for (const [table, placeOf] of places) {
      const place = placeOf(other)
      if (place === null || seen.has(table.name)) continue
      seen.add(table.name)
      for (const { name, derivedFrom } of table.columns) {
        // Lists are walked by some of the derived columns: a broken one is no state to compare.
        if (derivedFrom !== null) continue
        const report = reportOf(state, other, place, name)
        const isKey = table.keys.includes(name) || name === 'orderId'
        assert.match(
          report,
          isKey ? /has the place of/ : new RegExp(`: ${name}\\b`),
          `${table.name} ${name}`,
        )
      }
    }
    assert.deepEqual(differencesOf(state, other), [])
  }
  for (const seed of seeds) {
    if (seen.size === places.length) break
    const options = { seed, steps: 400, without: new Set(['caps'] as const), seams: { disturb } }
    assert.equal(simulate(options).failure, null, `seed ${seed}`)
  }
  assert.equal(seen.size, places.length, `only ${[...seen].join(', ')}`)
})

test('different withdrawals are reported by their names, ended ones too', () => {
  const states = [0, 1].map(() => {
    const rig = new WithdrawalRig(still).openMarket() as WithdrawalRig
    rig.deposit(5, 1000)
    const ids = [100, 200].map((usd, index) => rig.withdraw(5, usd, { digest: index + 70 }))
    rig.settle(ids[0]!, DeliveryStatus.Finalized)
    return rig.state
  })
  const [one, other] = [states[0]!, states[1]!]
  assert.deepEqual(differencesOf(one, other), [])
  const changes = {
    ...{ account: 1, amountMicros: 1, createdMillis: 1, delivery: DeliveryStatus.Included },
    ...{ destination: new Uint8Array(20), txHash: new Uint8Array(32).fill(1) },
  }
  const [row] = [...other.withdrawals.rows]
  for (const [name, value] of Object.entries(changes)) {
    const before = row![name as keyof typeof changes]
    Object.assign(row!, { [name]: value })
    assert.deepEqual(differencesOf(one, other), [`withdrawal ${row!.key}: ${name}`])
    Object.assign(row!, { [name]: before })
  }
  const [ended] = [...other.withdrawals.ended]
  const key = formatUuid(ended!.id, 0)
  Object.assign(ended!, {
    number: 7,
    domain: DomainStatus.Failed,
    delivery: DeliveryStatus.Reverted,
  })
  assert.deepEqual(
    differencesOf(one, other),
    ['number', 'domain', 'delivery'].map((name) => `ended withdrawal ${key}: ${name}`),
  )
  other.withdrawals.end(row!, DomainStatus.Completed)
  assert.match(differencesOf(one, other)[0]!, /^withdrawal: 1 rows, not 0$/)
})

test('a row that only one state has is reported', () => {
  const [one, other] = [
    replayCore(engineConfigDefault, 1).state,
    replayCore(engineConfigDefault, 1).state,
  ]
  assert.deepEqual(differencesOf(one, other), [])
  one.openAccount(new Uint8Array(20).fill(7), 0)
  assert.deepEqual(differencesOf(one, other), ['account: 1 rows, not 0'])
})
