import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { allocateRing, Ring } from '../../../engine/memory/ring.js'
import type { OperatorOutcome, OperatorSender } from '../../../gateway/operator/operator-port.js'
import { RailDriver } from '../../../gateway/rail/rail-driver.js'
import type {
  DeliveryUpdate,
  SettlementRail,
  UpdateListener,
} from '../../../gateway/rail/settlement-rail.js'
import type { WithdrawalEntry } from '../../../gateway/wire/withdrawal-entry.js'
import { DeliveryStatus, DomainStatus } from '../../../schemas/domain.js'
import { SettleWithdrawalCommand } from '../../../schemas/generated/commands.js'
import type { RecordSink } from '../../../schemas/record-views.js'
import { Result } from '../../../schemas/results.js'
import { formatUuid } from '../../../schemas/uuid.js'
import { eventually } from '../../e2e/support/venue.js'
import { rfqUuid } from '../../support/rfq-script.js'

const withdrawal: WithdrawalEntry = {
  ...{ directiveId: rfqUuid(1), wallet: '', destination: `0x${'1'.repeat(40)}` },
  ...{ amountMicros: 5e6, createdMillis: 0 },
  ...{ domain: DomainStatus.PendingChainEffect, delivery: DeliveryStatus.Pending, seq: 7 },
}
const { Broadcasted, Finalized, Expired } = DeliveryStatus

/** Returns a driver between a rail and an engine with the given results. */
function driven(results: readonly Result[] = [], failures = 0) {
  const seen = { delivered: [] as string[], settled: [] as string[], alarms: [] as string[] }
  let tell: UpdateListener = async () => true
  let left = failures
  const rail: SettlementRail = {
    preflight: async () => Result.Accepted,
    async deliver({ directiveId }) {
      if (left-- > 0) throw new Error('not now')
      seen.delivered.push(directiveId)
    },
    status: () => null,
    deliveries: () => [],
    recordBytes: 0,
    fault: () => null,
    follow: (listener) => {
      tell = listener
    },
    close: async () => {},
  }
  const answers = [...results]
  const sender: OperatorSender = {
    async send(command) {
      const ring = new Ring(allocateRing(4096), 'producer')
      const record = new SettleWithdrawalCommand()
      command(ring as unknown as RecordSink)
      ring.commit()
      record.over(ring, 0)
      const result = answers.shift() ?? Result.Accepted
      seen.settled.push(
        `${formatUuid(record.u8, record.directiveIdAt)} ${record.delivery} ${result}`,
      )
      return { result } as OperatorOutcome
    },
  }
  const alarm = (text: string) => seen.alarms.push(text)
  const tally = { errors: 0, retries: 0 }
  const driver = new RailDriver({ rail, sender, alarm, tally, retryMillisFirst: 1 })
  return { driver, seen, tally, tell: (update: DeliveryUpdate) => tell(update) }
}

test('a withdrawal is delivered once, however often it is published', async () => {
  const { driver, seen } = driven()
  driver.take(withdrawal)
  driver.take({ ...withdrawal, delivery: Broadcasted })
  await sleep(5)
  assert.deepEqual([seen.delivered, driver.underWay], [[withdrawal.directiveId], 1])
  driver.take({ ...withdrawal, delivery: Finalized, domain: DomainStatus.Completed })
  assert.equal(driver.underWay, 0)
})

test('a withdrawal that has ended, or waits for the operator, is not delivered', async () => {
  const { driver, seen } = driven()
  driver.take({ ...withdrawal, delivery: Expired, domain: DomainStatus.PendingManualReview })
  await sleep(2)
  assert.deepEqual(seen.delivered, [])
})

test('a failing rail is called again', async () => {
  const { driver, seen, tally } = driven([], 2)
  driver.take(withdrawal)
  await eventually('it is delivered', () => seen.delivered.length === 1)
  assert.deepEqual([seen.delivered.length, seen.alarms], [1, ['not now', 'not now']])
  assert.deepEqual(tally, { errors: 2, retries: 2 })
})

test('the engine receives each step in order, again if it was busy', async () => {
  const { seen, tally, tell } = driven([Result.EngineBusy, Result.NotReady])
  const txHash = `0x${'ab'.repeat(32)}`
  for (const delivery of [Broadcasted, Finalized]) {
    tell({ directiveId: withdrawal.directiveId, delivery, txHash })
  }
  await eventually('every update is published', () => seen.settled.length === 4)
  const of = (delivery: DeliveryStatus, result: Result) =>
    `${withdrawal.directiveId} ${delivery} ${result}`
  assert.deepEqual(seen.settled, [
    of(Broadcasted, Result.EngineBusy),
    of(Broadcasted, Result.NotReady),
    of(Broadcasted, Result.Accepted),
    of(Finalized, Result.Accepted),
  ])
  assert.deepEqual(seen.alarms, [])
  assert.deepEqual(tally, { errors: 0, retries: 2 })
})

test('a step that the engine rejects is an alarm, and is not sent again', async () => {
  const { seen, tell } = driven([Result.WithdrawalEnded])
  tell({ directiveId: withdrawal.directiveId, delivery: Finalized, txHash: null })
  await sleep(10)
  assert.deepEqual([seen.settled.length, seen.alarms], [1, ['refused: conflict']])
})
