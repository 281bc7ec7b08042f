import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Ledger } from '../../../../gateway/read-model/standings/ledger.js'
import { CompetitionMetric, Side } from '../../../../schemas/domain.js'
import { FillEvent, PayoutEvent } from '../../../../schemas/generated/events.js'
import { viewsOf } from '../../../../schemas/record-views.js'

const usd = 1_000_000
const contract = 100_000_000
const [ann, bob, cid] = ['0xaa', '0xbb', '0xcc'] as const

interface Position {
  lots: number
  costMicros: number
}

/** Running ledger that receives trades at prices in USD per contract, like those of the engine. */
class Contest {
  readonly ledger = new Ledger(1, {}, true)
  readonly #positions = new Map<string, Position>()

  constructor(startMark = Number.NaN) {
    if (!Number.isNaN(startMark)) this.ledger.noteMark(0, startMark * usd)
    this.ledger.isActive = true
  }

  /** A position from before. */
  hold(wallet: string, contracts: number, price: number): void {
    this.#positions.set(wallet, {
      lots: contracts * contract,
      costMicros: contracts * price * usd,
    })
  }

  trade(buyer: string, seller: string, price: number, facts: Partial<FillEvent> = {}): void {
    this.side(buyer, 1, price, facts)
    this.side(seller, -1, price, facts)
  }

  side(wallet: string, contracts: number, price: number, facts: Partial<FillEvent> = {}): void {
    const position = this.#positions.get(wallet) ?? { lots: 0, costMicros: 0 }
    const lots = contracts * contract
    const flow = -contracts * price * usd
    const closed = position.lots * lots < 0 ? Math.min(Math.abs(position.lots), Math.abs(lots)) : 0
    const closedCost = closed === 0 ? 0 : (position.costMicros * closed) / Math.abs(position.lots)
    const closedFlow = (flow * closed) / Math.abs(lots)
    position.lots += lots
    position.costMicros += -closedCost - (flow - closedFlow)
    this.#positions.set(wallet, position)
    const fill = new FillEvent().over(viewsOf(new ArrayBuffer(FillEvent.bytes)), 0)
    const band = { bandLowerMicros: 50 * usd, bandUpperMicros: 150 * usd }
    Object.assign(fill, {
      ...{ priceMicros: price * usd, sizeLots: Math.abs(lots), instrument: 0 },
      ...{ side: contracts > 0 ? Side.Buy : Side.Sell, realizedMicros: closedFlow - closedCost },
      ...{ positionLots: position.lots, costMicros: position.costMicros, feeMicros: 0 },
      ...{ marginMicros: 0, notionalMicros: 1000 * usd, ...band, ...facts },
    })
    this.ledger.fill(wallet, fill)
  }

  payout(wallet: string, payoff: number, feeMicros = 0): void {
    const { costMicros, lots } = this.#positions.get(wallet)!
    const payout = new PayoutEvent().over(viewsOf(new ArrayBuffer(PayoutEvent.bytes)), 0)
    const valueMicros = (payoff * usd * lots) / contract
    Object.assign(payout, { positionLots: lots, costMicros, valueMicros, feeMicros, instrument: 0 })
    this.#positions.delete(wallet)
    this.ledger.payout(wallet, payout)
  }

  text(wallet: string, metric: CompetitionMetric = CompetitionMetric.Pnl): string {
    const { participants } = this.ledger
    return participants.text(participants.find(wallet), metric)
  }

  rank(wallet: string, metric: CompetitionMetric = CompetitionMetric.Pnl): number {
    const { participants, standings } = this.ledger
    return standings!.rankOf(participants.find(wallet), metric)
  }
}

test('profit counts when it is realized, less fees', () => {
  const contest = new Contest()
  contest.trade(ann, bob, 100, { feeMicros: 2 * usd })
  assert.deepEqual([contest.text(ann), contest.text(bob)], ['-2', '-2'])
  contest.trade(bob, ann, 110)
  assert.deepEqual([contest.text(ann), contest.text(bob)], ['8', '-12'])
  assert.deepEqual([contest.rank(ann), contest.rank(bob)], [1, 2])
})

test('a price beyond its band counts as the nearest one within, for both sides', () => {
  const contest = new Contest()
  contest.trade(ann, bob, 1)
  contest.trade(bob, ann, 900)
  assert.deepEqual([contest.text(ann), contest.text(bob)], ['100', '-100'])
})

test('a settlement counts against the cost, and volume is the notional of the underlying', () => {
  const contest = new Contest()
  contest.trade(ann, bob, 100)
  contest.payout(ann, 130, 1 * usd)
  contest.payout(bob, 130)
  assert.deepEqual([contest.text(ann), contest.text(bob)], ['29', '-30'])
  assert.equal(contest.text(ann, CompetitionMetric.Volume), '1000')
})

test('efficiency is by the largest margin after a fill, at least 1,000, and 0 without margin', () => {
  const contest = new Contest()
  contest.side(ann, 1, 100, { marginMicros: 4000 * usd })
  contest.side(ann, -1, 110, { marginMicros: 0 })
  contest.side(bob, 1, 100, { marginMicros: 10 * usd })
  contest.side(bob, -1, 110, { marginMicros: 0 })
  contest.side(cid, 1, 100)
  contest.side(cid, -1, 140)
  const { Efficiency } = CompetitionMetric
  assert.deepEqual(
    [ann, bob, cid].map((wallet) => contest.text(wallet, Efficiency)),
    ['0.0025', '0.01', '0'],
  )
  assert.deepEqual(
    [ann, bob, cid].map((wallet) => contest.rank(wallet, Efficiency)),
    [2, 1, 3],
  )
})

test('open losses at the end are deducted, and open gains are not', () => {
  const contest = new Contest()
  contest.trade(ann, bob, 100)
  contest.ledger.noteMark(0, 70 * usd)
  contest.ledger.end()
  assert.deepEqual([contest.text(ann), contest.text(bob)], ['-30', '0'])
  assert.deepEqual([contest.rank(bob), contest.rank(ann)], [1, 2])
})

test('gains of a position before the competition do not count, and its losses do', () => {
  const contest = new Contest(80)
  contest.hold(ann, 1, 10)
  contest.hold(bob, -1, 10)
  contest.trade(bob, ann, 90)
  assert.deepEqual([contest.text(ann), contest.text(bob)], ['10', '-80'])
})

test('an earlier position that settles in the competition counts from its mark, too', () => {
  const contest = new Contest(80)
  contest.hold(ann, 1, 10)
  contest.payout(ann, 85)
  assert.equal(contest.text(ann), '5')
  const { participants, standings } = contest.ledger
  assert.equal(standings!.takesPart(participants.find(ann)), false, 'without a trade')
})

test('ties rank by address', () => {
  const contest = new Contest()
  for (const wallet of [cid, ann, bob]) contest.side(wallet, 1, 100)
  assert.deepEqual(
    [ann, bob, cid].map((wallet) => contest.rank(wallet)),
    [1, 2, 3],
  )
})

test('volumes beyond a double are exact', () => {
  const contest = new Contest()
  for (let i = 0; i < 4; i++) contest.side(ann, 1, 100, { notionalMicros: 5e15 + 1 })
  assert.equal(contest.text(ann, CompetitionMetric.Volume), '20000000000.000004')
})

test('the profits of two wallets that trade with each other never sum to more than 0', () => {
  const step = fc.tuple(fc.boolean(), fc.integer({ min: 1, max: 400 }))
  fc.assert(
    fc.property(
      fc.array(step, { maxLength: 60 }),
      fc.integer({ min: 50, max: 150 }),
      (steps, end) => {
        const contest = new Contest()
        for (const [isBuy, price] of steps) {
          if (isBuy) contest.trade(ann, bob, price)
          else contest.trade(bob, ann, price)
        }
        contest.ledger.noteMark(0, end * usd)
        contest.ledger.end()
        const { participants } = contest.ledger
        const sum = participants.pnlMicros.reduce((total, micros) => total + micros, 0)
        assert.ok(sum <= 2, `they have made ${sum} micros`)
      },
    ),
    { numRuns: 300 },
  )
})
