import assert from 'node:assert/strict'
import { test } from 'node:test'
import { statesText } from '../../../gateway/documents/states.js'

interface Machine {
  readonly states: readonly string[]
  readonly final: readonly string[]
  readonly moves: readonly {
    readonly from: string | null
    readonly to: string
    readonly when: string
  }[]
}

const machines = Object.entries(statesText()) as readonly (readonly [string, Machine])[]

test('every state is reached by a move, and each move names its cause', () => {
  assert.deepEqual(
    machines.map(([name]) => name),
    ['order', 'instrument', 'rfq', 'liquidation'],
  )
  for (const [name, { moves, states }] of machines) {
    const reached = new Set(moves.map(({ to }) => to))
    assert.deepEqual(
      states.filter((state) => !reached.has(state)),
      [],
      name,
    )
    for (const { from, to, when } of moves) {
      assert.ok(when !== '' && states.includes(to) && (from === null || states.includes(from)))
    }
    const pairs = moves.map(({ from, to }) => `${from} ${to}`)
    assert.equal(new Set(pairs).size, pairs.length, `${name}: a move stands twice`)
  }
})

test('no move leaves a final state', () => {
  const final = Object.fromEntries(machines.map(([name, machine]) => [name, machine.final]))
  assert.deepEqual(final, {
    order: ['FILLED', 'CANCELED', 'REJECTED'],
    instrument: ['DELETED'],
    rfq: ['executed', 'no_quotes', 'expired', 'failed'],
    liquidation: [],
  })
})
