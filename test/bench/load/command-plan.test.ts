import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  CommandPlan,
  type CommandPlanOptions,
  LoadKind,
  planCommands,
} from '../../../bench/load/command-plan.js'
import { legalPriceMicros } from '../../../bench/load/load-market.js'

const ticks = [
  { aboveMicros: 0, tickMicros: 1 },
  { aboveMicros: 1_000_000, tickMicros: 100 },
  { aboveMicros: 100_000_000, tickMicros: 10_000 },
]
const instruments = [
  { symbol: 'A', middleMicros: 250_000_000, ticks },
  { symbol: 'B', middleMicros: 3_000_000, ticks },
]
const options: CommandPlanOptions = {
  count: 30_000,
  wallets: 5,
  instruments,
  mix: { place: 40, cancel: 40, replace: 10, take: 10 },
  openOrders: 400,
  settleCommands: 50,
  seed: 11,
}

test('equal options give the same plan, and another seed gives another', () => {
  const bytesOf = (seed: number) => Buffer.from(planCommands({ ...options, seed }).memory)
  assert.ok(bytesOf(11).equals(bytesOf(11)))
  assert.ok(!bytesOf(11).equals(bytesOf(12)))
})

test('the open orders are placed first, then their number stays within a few percent', () => {
  const plan = planCommands(options)
  let open = 0
  for (let i = 0; i < plan.count; i++) {
    if (plan.kind[i] === LoadKind.Place) open++
    if (plan.kind[i] === LoadKind.Cancel) open--
    if (i === options.openOrders - 1) assert.equal(open, options.openOrders)
    if (i >= options.openOrders) assert.ok(open > 380 && open < 420, `${open} open at ${i}`)
  }
})

test('cancels and replaces name an older order of their wallet that no other command names', () => {
  const plan = planCommands(options)
  const named = new Set<number>()
  for (let i = 0; i < plan.count; i++) {
    const target = plan.target[i]
    const isNaming = plan.kind[i] === LoadKind.Cancel || plan.kind[i] === LoadKind.Replace
    assert.equal(target >= 0, isNaming)
    if (!isNaming) continue
    assert.ok(target <= i - options.settleCommands, `${i} names ${target}`)
    assert.ok([LoadKind.Place, LoadKind.Replace].includes(plan.kind[target] as 0 | 2))
    assert.equal(plan.wallet[i], plan.wallet[target])
    assert.equal(plan.instrument[i], plan.instrument[target])
    assert.ok(!named.has(target), `${target} is named twice`)
    named.add(target)
  }
})

test('the plan has the requested mix', () => {
  const { kind } = planCommands(options)
  const share = (one: number) =>
    kind.subarray(options.openOrders).filter((of) => of === one).length / (kind.length - 400)
  assert.ok(Math.abs(share(LoadKind.Replace) - 0.1) < 0.01, `${share(LoadKind.Replace)}`)
  assert.ok(Math.abs(share(LoadKind.Take) - 0.1) < 0.01, `${share(LoadKind.Take)}`)
  assert.ok(Math.abs(share(LoadKind.Place) - 0.4) < 0.02, `${share(LoadKind.Place)}`)
})

test('resting orders never cross each other, and takes reach all of them', () => {
  const plan = planCommands(options)
  for (let i = 0; i < plan.count; i++) {
    const instrument = instruments[plan.instrument[i]]
    const price = plan.priceMicros[i]
    assert.equal(price, legalPriceMicros(instrument, price), 'on the grid')
    const isBuy = plan.side[i] === 0
    const isAbove = price > instrument.middleMicros
    if (plan.kind[i] === LoadKind.Take) assert.equal(isAbove, isBuy)
    else assert.equal(isAbove, !isBuy)
  }
})

test('a plan in shared memory reads the same from another thread’s view', () => {
  const plan = planCommands({ ...options, count: 1001 })
  const view = new CommandPlan(1001, plan.memory)
  for (const column of ['kind', 'side', 'wallet', 'target', 'priceMicros', 'sizeLots'] as const) {
    assert.deepEqual(view[column], plan[column])
  }
})

test('without open orders no command names one', () => {
  const mix = { place: 1, cancel: 5, replace: 5, take: 1 }
  const plan = planCommands({ ...options, count: 500, openOrders: 0, settleCommands: 1, mix })
  for (let i = 0; i < plan.count; i++) assert.ok(plan.target[i] < i)
})
