import assert from 'node:assert/strict'
import { test } from 'node:test'
import { coresOf, type Machine } from '../../../gateway/machine/machine.js'
import { pinningFaults, proposePinning } from '../../../gateway/machine/pinning-plan.js'

/** Cores in pairs of threads: 0 and 1 are one, 2 and 3, and so on. */
function paired(count: number, isolated: readonly number[] = []): Machine {
  const cores = Array.from({ length: count }, (_, core) => core)
  const siblings = new Map(cores.map((core) => [core, [core & ~1, core | 1]]))
  return { cores, isolated, siblings }
}

const layout = { gateways: 2, matchers: 1 }

test('a list of cores is parsed as the kernel writes it', () => {
  assert.deepEqual(coresOf('0-2,5,7-8'), [0, 1, 2, 5, 7, 8])
  assert.deepEqual(coresOf(''), [])
})

test('isolated cores are assigned first, one thread of each', () => {
  const { pinning, notes } = proposePinning(paired(16, [4, 5, 6, 7, 8, 9, 10, 11, 12, 13]), layout)
  assert.deepEqual(pinning, {
    ...{ core: 4, journal: 6, 'matcher-0': 8, 'gateway-0': 10, 'gateway-1': 12 },
    ...{ 'read-model': 5, history: 7, snapshot: 9 },
  })
  assert.deepEqual(notes, [])
})

test('without isolated cores one stays free, and the plan says so', () => {
  const { pinning, notes } = proposePinning(paired(16), layout)
  assert.equal(new Set(Object.values(pinning)).size, 8)
  assert.match(notes.join(), /no core is isolated/)
})

test('a machine that is too small for the threads of an order is not pinned', () => {
  const { pinning, notes } = proposePinning(paired(4), layout)
  assert.deepEqual(pinning, {})
  assert.match(notes.join(), /3 cores can be given away, 5 threads/)
})

test('a plan has no fault except threads of one core if there are too few', () => {
  const machine = paired(
    32,
    Array.from({ length: 28 }, (_, i) => i + 4),
  )
  const { pinning } = proposePinning(machine, layout)
  assert.deepEqual(pinningFaults({ ...pinning, push: 31 }, machine, layout), [])
})

test('rows without an effect, and rows that share a core, are named', () => {
  const pinning = { core: 2, journal: 3, history: 2, 'matcher-4': 6, snapshot: 99 }
  assert.deepEqual(pinningFaults(pinning, paired(8), layout), [
    'journal: cores 3 and 2 (core) are one',
    'history: core 2 is that of core, too',
    'history: cores 2 and 3 (journal) are one',
    'matcher-4: no such thread with this configuration',
    'snapshot: there is no core 99, or it is not allowed',
  ])
})
