import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AccountEvent, FundingEvent } from '../../../schemas/generated/events.js'
import { AccountChange, FundingPhase } from '../../../schemas/record-values.js'
import { PublishedEvents } from '../../support/ledger-events.js'
import { FundingLedger } from './funding-ledger.js'

class Events extends PublishedEvents<FundingLedger> {
  constructor() {
    super(new FundingLedger())
  }

  pay(account: number, deltaMicros: number, change: AccountChange = AccountChange.Funding): this {
    return this.emit(new AccountEvent(), { account, change, deltaMicros })
  }

  fix(endMillis: number, holders: number): this {
    return this.#round(FundingPhase.Fixed, endMillis, holders, 0)
  }

  end(endMillis: number, holders: number, dustMicros: number): this {
    return this.#round(FundingPhase.Paid, endMillis, holders, dustMicros)
  }

  #round(phase: FundingPhase, endMillis: number, holders: number, dustMicros: number): this {
    return this.emit(new FundingEvent(), { phase, endMillis, holders, dustMicros })
  }
}

test('the ledger accepts a round that adds up to zero with its dust, and the next one', () => {
  const published = new Events().fix(1, 3).pay(1, -100).pay(9, 5, AccountChange.Deposit).pay(2, 67)
  published.fix(2, 2).pay(3, 32).end(1, 3, 1)
  published.pay(1, -50).pay(2, 50).end(2, 2, 0)
  assert.deepEqual([published.ledger.paidCount, published.ledger.paymentCount], [2, 5])
})

test('the ledger finds rounds that do not add up, come twice, or come in another order', () => {
  const begun = () => new Events().fix(1, 2).pay(1, -100)
  assert.throws(() => begun().pay(1, 100), /account 1 pays twice/)
  assert.throws(() => begun().pay(2, 99).end(1, 2, 0), /add up to -1 micros/)
  assert.throws(() => begun().pay(2, 98).end(1, 2, 2), /2 micros of dust/)
  assert.throws(() => begun().fix(1, 2), /fixed again/)
  assert.throws(() => begun().fix(2, 2).pay(2, 100).end(2, 2, 0), /ends before/)
})

test('the ledger accepts an event again after a crash took it back', () => {
  const published = new Events().fix(1, 2).pay(1, -100)
  published.ledger.forgetAfter(1)
  published.seq = 1
  published.pay(1, -100).pay(2, 100).end(1, 2, 0)
  assert.equal(published.ledger.paidCount, 1)
})
