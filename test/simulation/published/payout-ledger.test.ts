import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PayoutEvent, SettlementEvent } from '../../../schemas/generated/events.js'
import { SettlementPhase } from '../../../schemas/record-values.js'
import { PublishedEvents } from '../../support/ledger-events.js'
import { PayoutLedger } from './payout-ledger.js'

class Events extends PublishedEvents<PayoutLedger> {
  constructor() {
    super(new PayoutLedger())
  }

  pay(account: number, micros: number, borneMicros = 0): this {
    const payoutId = this.ledger.payoutCount + 1
    const instrument = this.seq + 1
    const fields = { payoutId, account, instrument, valueMicros: micros, borneMicros }
    return this.emit(new PayoutEvent(), fields)
  }

  end(dustMicros: number, borneMicros = 0): this {
    const phase = SettlementPhase.Settled
    return this.emit(new SettlementEvent(), { phase, dustMicros, borneMicros })
  }
}

test('the ledger accepts an expiry that lowers payouts in proportion, and one that lowers none', () => {
  const published = new Events().pay(1, -600).pay(2, 185, 15).pay(3, 370, 30).end(0, 45)
  published.pay(1, -101).pay(2, 100).end(1)
  assert.deepEqual([published.ledger.settledCount, published.ledger.loweredCount], [2, 2])
})

test('the ledger nets the debts of a spread before payouts are lowered', () => {
  new Events().pay(1, -120).pay(2, 104, 16).pay(2, -90).pay(3, 42, 48).end(0, 64)
})

test('the ledger finds a share that is out of proportion, unpublished, or paid too early', () => {
  const begun = () => new Events().pay(1, -600)
  assert.throws(() => begun().pay(2, 200).pay(3, 355, 45).end(0, 45), /were borne of/)
  assert.throws(() => begun().pay(2, 185, 15).pay(3, 370, 30).end(0), /add up to|published 0/)
  assert.throws(() => begun().pay(2, 605, -5).end(0, -5), /bore -5/)
})

test('the ledger finds a payout before all debtors have paid', () => {
  const early = new Events().pay(2, 200).pay(1, -600).pay(3, 400)
  assert.throws(() => early.end(0), /before all have paid/)
})
