import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CommandPlan, LoadKind } from '../../../bench/load/command-plan.js'
import { type CommandAnswer, lotsOf, OrderLedger } from '../../../bench/load/order-ledger.js'

const contract = 100_000_000
const size = 2 * contract

/**
 * A place (0) of wallet 0, a take (1) of wallet 1, a cancel (2) of the place, a second place (3) and
 * a replace (4) of that.
 */
function ledgerOf() {
  const plan = new CommandPlan(5)
  const { Place, Take, Cancel, Replace } = LoadKind
  plan.kind.set([Place, Take, Cancel, Place, Replace])
  plan.wallet.set([0, 1, 0, 0, 0])
  plan.side.set([0, 1, 0, 0, 0])
  plan.target.set([-1, -1, 0, -1, 3])
  plan.priceMicros.fill(5_000_000)
  plan.sizeLots.fill(size)
  const ledger = new OrderLedger(plan, 't-', 2, 1)
  const answer = (index: number, values: Partial<CommandAnswer>) => {
    const none = { status: '', code: '', orderId: 0, filledLots: 0 }
    ledger.answered(index, plan.kind[index], { ...none, ...values })
  }
  const update = (index: number, order_id: number, status: string, filled_size: string) =>
    ledger.onOrderUpdate({
      type: 'OrderUpdate',
      client_id: `t-${index}`,
      order_id,
      status,
      filled_size,
    })
  const fill = (order_id: number, side: string, text: string, trade_id = 1, price = '5') =>
    ledger.onFill({ type: 'Fill', order_id, side, size: text, price, trade_id })
  return { ledger, answer, update, fill }
}

/** The place rests, the take fills half of it, the cancel takes the rest. */
function soundRun(rig: ReturnType<typeof ledgerOf>): void {
  const { ledger, answer, update, fill } = rig
  for (const index of [0, 1, 2]) ledger.sent(index)
  answer(0, { status: 'ACKED', orderId: 7 })
  assert.equal(update(0, 7, 'ACKED', '0'), 0, 'news of an order')
  assert.equal(update(0, 7, 'OPEN', '0'), -1, 'no news any more')
  fill(9, 'Sell', '1') // before anything tells whose order 9 is
  fill(7, 'Buy', '1')
  update(0, 7, 'PARTIALLY_FILLED', '1')
  update(1, 9, 'CANCELED', '1')
  answer(1, { status: 'CANCELED', orderId: 9, filledLots: contract })
  update(0, 7, 'CANCELED', '1')
  answer(2, { status: 'CANCELED', orderId: 7, filledLots: contract })
  ledger.settleEarlyFills()
}

test('a consistent run has no differences, and has its positions', () => {
  const rig = ledgerOf()
  soundRun(rig)
  assert.deepEqual(rig.ledger.differences(), [])
  assert.deepEqual(rig.ledger.unanswered(), [])
  assert.deepEqual([...rig.ledger.positionLots], [contract, -contract])
  assert.equal(rig.ledger.strangersFills, 0)
  assert.deepEqual(rig.ledger.working(), [])
})

test('a run is incomplete while messages imply further ones', () => {
  const { ledger, answer, update, fill } = ledgerOf()
  const steps: (readonly [() => void, boolean])[] = [
    [() => [0, 1].map((index) => ledger.sent(index)), false],
    [() => answer(0, { status: 'OPEN', orderId: 7 }), true],
    [() => update(0, 7, 'OPEN', '0'), false],
    [() => fill(9, 'Sell', '2'), true],
    [() => answer(1, { status: 'FILLED', orderId: 9, filledLots: size }), true],
    [() => update(1, 9, 'FILLED', '2'), true],
    [() => fill(7, 'Buy', '2'), true],
    [() => update(0, 7, 'FILLED', '2'), false],
  ]
  for (const [place, [step, isIncomplete]] of steps.entries()) {
    step()
    assert.equal(ledger.isIncomplete(), isIncomplete, `after step ${place}`)
  }
  assert.deepEqual(ledger.differences(), [])
})

test('working orders are listed with their open size', () => {
  const { ledger, answer, update, fill } = ledgerOf()
  ledger.sent(0)
  answer(0, { status: 'ACKED', orderId: 7 })
  update(0, 7, 'OPEN', '0')
  assert.ok(ledger.isWorking(0))
  fill(7, 'Buy', '0.5')
  update(0, 7, 'PARTIALLY_FILLED', '0.5')
  ledger.settleEarlyFills()
  assert.deepEqual(ledger.working(), [
    { index: 0, orderId: 7, priceMicros: 5_000_000, sizeLots: size, filledLots: contract / 2 },
  ])
  assert.equal(ledger.strangersFills, 1, 'the other side is nobody of ours')
})

/** Each plants one lie into a sound run. */
const lies: Readonly<
  Record<string, { lie: (rig: ReturnType<typeof ledgerOf>) => void; found: RegExp }>
> = {
  'a second answer': {
    lie: ({ answer }) => answer(0, { status: 'ACKED', orderId: 7 }),
    found: /command 0: an answer too many/,
  },
  'an answer to what was never sent': {
    lie: ({ answer }) => answer(3, { status: 'ACKED', orderId: 8 }),
    found: /command 3: an answer too many/,
  },
  'an update after the end': {
    lie: ({ update }) => update(0, 7, 'OPEN', '1'),
    found: /order of command 0: OPEN after its end/,
  },
  'a fill that no update tells of': {
    lie: ({ fill }) => fill(7, 'Buy', '0.5', 2),
    found: /fills of 150000000 lots, its updates say 100000000/,
  },
  'a fill of an order of nobody': {
    lie: ({ fill, ledger }) => {
      fill(99, 'Buy', '1', 3)
      ledger.settleEarlyFills()
    },
    found: /1 fills of orders that nobody placed/,
  },
  'a trade whose sides tell two prices': {
    lie: ({ fill }) => {
      fill(7, 'Buy', '0.5', 4, '5')
      fill(9, 'Sell', '0.5', 4, '5.1')
    },
    found: /trade 4: Sell 5100000 50000000, its other side says Sell 5000000 50000000/,
  },
  'another id for the same order': {
    lie: ({ update }) => update(0, 8, 'CANCELED', '1'),
    found: /command 0: order 7, then 8/,
  },
  'an order that its wallet never hears of': {
    lie: ({ ledger, answer }) => {
      ledger.sent(3)
      answer(3, { status: 'ACKED', orderId: 10 })
    },
    found: /command 3 .*acknowledged, but its wallet received no message about it/,
  },
  'an order without an id': {
    lie: ({ ledger, answer }) => {
      ledger.sent(3)
      answer(3, { status: 'ACKED' })
    },
    found: /command 3: ACKED without an order id/,
  },
  'a replace that leaves its old order working': {
    lie: ({ ledger, answer, update }) => {
      for (const index of [3, 4]) ledger.sent(index)
      answer(3, { status: 'OPEN', orderId: 15 })
      update(3, 15, 'OPEN', '0')
      answer(4, { status: 'OPEN', orderId: 16 })
      update(4, 16, 'OPEN', '0')
    },
    found: /command 4 \(replace, order 16\): acknowledged, but the order that it ends remains open/,
  },
  'a cancel that is acknowledged and not done': {
    lie: ({ ledger, answer, update }) => {
      for (const index of [3, 4]) ledger.sent(index)
      answer(3, { status: 'OPEN', orderId: 15 })
      update(3, 15, 'OPEN', '0')
      // It went in the place of the replace.
      const canceled = { status: 'CANCELED', code: '', orderId: 15, filledLots: 0 }
      ledger.answered(4, LoadKind.Cancel, canceled)
    },
    found: /command 4 .*acknowledged, but the order that it ends remains open/,
  },
  'an order from a refused command': {
    lie: ({ ledger, answer, update }) => {
      ledger.sent(3)
      answer(3, { code: 'engine_busy' })
      update(3, 11, 'OPEN', '0')
    },
    found: /command 3 .*refused, but an order came of it/,
  },
  'an end that is not the acknowledged one': {
    lie: ({ ledger, answer, update }) => {
      ledger.sent(3)
      update(3, 12, 'CANCELED', '0')
      answer(3, { status: 'FILLED', orderId: 12, filledLots: 0 })
    },
    found: /acknowledged as FILLED, ended as CANCELED/,
  },
  'a whole fill of half the size': {
    lie: ({ fill, update }) => {
      fill(13, 'Buy', '1', 5)
      update(3, 13, 'FILLED', '1')
      fill(13, 'Sell', '0', 5)
    },
    found: /FILLED with 100000000 of 200000000 lots/,
  },
  'a status that does not exist': {
    lie: ({ ledger, answer }) => {
      ledger.sent(3)
      answer(3, { status: 'DONE', orderId: 14 })
    },
    found: /command 3: status DONE/,
  },
}

for (const [what, { lie, found }] of Object.entries(lies)) {
  test(`${what} is found`, () => {
    const rig = ledgerOf()
    soundRun(rig)
    lie(rig)
    rig.ledger.settleEarlyFills()
    assert.match(rig.ledger.differences().join('\n'), found)
  })
}

test('an unanswered command is listed', () => {
  const { ledger } = ledgerOf()
  ledger.sent(3)
  assert.deepEqual(ledger.unanswered(), [3])
})

test('sizes are lots, as text and as JSON numbers, however small', () => {
  assert.equal(lotsOf('0.25'), contract / 4)
  assert.equal(lotsOf('0'), 0)
  assert.equal(lotsOf(1e-8), 1)
  assert.equal(lotsOf(0.1 + 0.2), 30_000_000)
})
