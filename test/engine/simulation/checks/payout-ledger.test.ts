import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PayoutLedger } from '../../../../engine/simulation/checks/payout-ledger.js'
import { EventType } from '../../../../schemas/generated/events.js'
import { SettlementPhase } from '../../../../schemas/record-values.js'
import * as settlement from '../../../../schemas/settlement.js'
import { ToldEvents } from './told-events.js'

class Told extends ToldEvents<PayoutLedger> {
  constructor() {
    super(new PayoutLedger())
  }

  pay(account: number, micros: number, borneMicros = 0): this {
    return this.tell(EventType.Payout, settlement.payoutBytes, ({ i32, f64 }) => {
      f64[settlement.payoutIdAt >> 3] = this.ledger.payoutCount + 1
      i32[settlement.payoutAccountAt >> 2] = account
      i32[settlement.payoutInstrumentAt >> 2] = this.seq
      f64[settlement.payoutValueMicrosAt >> 3] = micros
      f64[settlement.payoutBorneMicrosAt >> 3] = borneMicros
    })
  }

  end(dustMicros: number, borneMicros = 0): this {
    return this.tell(EventType.Settlement, settlement.settlementEventBytes, ({ i32, f64 }) => {
      i32[settlement.settlementEventPhaseAt >> 2] = SettlementPhase.Settled
      f64[settlement.settlementEventDustMicrosAt >> 3] = dustMicros
      f64[settlement.settlementEventBorneMicrosAt >> 3] = borneMicros
    })
  }
}

test('an expiry that is lowered in proportion is sound, and so is one that is not', () => {
  const told = new Told().pay(1, -600).pay(2, 185, 15).pay(3, 370, 30).end(0, 45)
  told.pay(1, -101).pay(2, 100).end(1)
  assert.deepEqual([told.ledger.settledCount, told.ledger.loweredCount], [2, 2])
})

test('what is owed by a spread is netted before it is lowered', () => {
  new Told().pay(1, -120).pay(2, 104, 16).pay(2, -90).pay(3, 42, 48).end(0, 64)
})

test('a share that is out of proportion, untold, or paid too early is found', () => {
  const begun = () => new Told().pay(1, -600)
  assert.throws(() => begun().pay(2, 200).pay(3, 355, 45).end(0, 45), /were borne of/)
  assert.throws(() => begun().pay(2, 185, 15).pay(3, 370, 30).end(0), /add up to|told 0/)
  assert.throws(() => begun().pay(2, 605, -5).end(0, -5), /bore -5/)
})

test('nobody is paid before all who owe have paid', () => {
  const early = new Told().pay(2, 200).pay(1, -600).pay(3, 400)
  assert.throws(() => early.end(0), /before all have paid/)
})
