import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { Worker } from 'node:worker_threads'
import { allocateRing, Ring } from '../../../engine/memory/ring.js'
import type { OperatorCommand } from '../../../gateway/operator/operator-commands.js'
import type { OperatorOutcome, OperatorSender } from '../../../gateway/operator/operator-port.js'
import { type KnownWithdrawals, VenueRail } from '../../../gateway/rail/venue-rail.js'
import type { WithdrawalEntry } from '../../../gateway/wire/withdrawal-entry.js'
import { DeliveryStatus, DomainStatus } from '../../../schemas/domain.js'
import { AnyCommand, CommandType } from '../../../schemas/generated/commands.js'
import type { RecordSink } from '../../../schemas/record-views.js'
import { Result } from '../../../schemas/results.js'
import { testConfig } from '../../support/gateway-rig.js'
import { rfqUuid } from '../../support/rfq-script.js'

const address = (digit: number) => `0x${String(digit).repeat(40)}`
const [plain, reverting] = [address(7), address(8)]

/** Returns withdrawal `number` of wallet `number`, as first published. */
function publishedOf(number: number, seq: number, destination = plain): WithdrawalEntry {
  return {
    ...{ directiveId: rfqUuid(number), wallet: address(number), destination, seq },
    ...{ amountMicros: number * 1e6, createdMillis: number * 1000 },
    ...{ domain: DomainStatus.PendingChainEffect, delivery: DeliveryStatus.Pending },
  }
}

const nothingKnown: KnownWithdrawals = { recordBytes: 0, openCount: 0, seq: 0 }

function typeOf(command: OperatorCommand): number {
  const ring = new Ring(allocateRing(4096), 'producer')
  command(ring as unknown as RecordSink)
  ring.commit()
  return new AnyCommand().over(ring, 0).recordType
}

/** Venues that follow each other on one folder, without an engine. */
function folderOf(t: TestContext) {
  const dataDir = mkdtempSync(join(tmpdir(), 'venue-rail-'))
  t.after(() => rmSync(dataDir, { recursive: true }))
  const flags = { dataDir, 'withdrawals.outcomes': `${reverting}=reverted` }
  const begin = async (name = 'simulated', known = nothingKnown) => {
    const config = testConfig({ ...flags, 'withdrawals.rail': name })
    const alarms: string[] = []
    let settled = 0
    const rail = new VenueRail(config, (text, id) => alarms.push(`${id} ${text}`))
    rail.open()
    await rail.prepare(known)
    const sender: OperatorSender = {
      async send(command) {
        if (typeOf(command) === CommandType.SettleWithdrawal) settled++
        return { result: Result.Accepted } as OperatorOutcome
      },
    }
    const isSettled = async (count: number) => {
      while (settled < count) await new Promise((resolve) => setTimeout(resolve, 1))
    }
    return { rail, alarms, sender, isSettled }
  }
  return { begin, missingPath: join(dataDir, 'withdrawals-missing.json') }
}

/** Returns the answer to a gateway's preflight for a wallet. */
async function preflight(rail: VenueRail, wallet: string): Promise<unknown> {
  const heard = new EventEmitter()
  const worker = Object.assign(new EventEmitter(), {
    postMessage: (answer: object) => heard.emit('answer', answer),
  })
  rail.serve([worker as unknown as Worker])
  const answered = once(heard, 'answer')
  worker.emit('message', { type: 'preflight', id: 1, destination: plain, wallet })
  const [{ result }] = await answered
  return result
}

/** Three are taken over: the second never arrives. */
async function delivered(begin: ReturnType<typeof folderOf>['begin']): Promise<void> {
  const { rail, sender, isSettled } = await begin()
  assert.deepEqual(rail.journalEvidence, [])
  rail.start(sender)
  rail.onEntry(publishedOf(1, 10))
  rail.onEntry(publishedOf(2, 20, reverting))
  rail.onEntry(publishedOf(3, 30))
  await isSettled(6)
  await rail.stop()
}

test('the record proves how far the journal once went', async (t) => {
  const { begin } = folderOf(t)
  await delivered(begin)
  const { rail, alarms, sender } = await begin()
  assert.deepEqual(rail.journalEvidence, [
    { name: "the settlement rail's record", seq: 30, batchNumber: 0 },
  ])
  rail.start(sender)
  assert.deepEqual(alarms, [], 'nothing is missing')
  await rail.stop()
})

test('each start raises an alarm for withdrawals of an accepted loss, and their wallets can withdraw nothing', async (t) => {
  const { begin, missingPath } = folderOf(t)
  await delivered(begin)
  const accepting = await begin()
  accepting.rail.onLoss(10)
  await accepting.rail.stop()
  // A crash right after it: only the file is left.
  for (let start = 0; start < 2; start++) {
    const { rail, alarms, sender } = await begin()
    rail.start(sender)
    assert.equal(alarms.length, 1, 'one has never arrived, and one the journal has')
    assert.match(
      alarms[0]!,
      new RegExp(`^${rfqUuid(3)} .*3 USD of ${address(3)} to ${plain}, finalized`),
    )
    assert.deepEqual(rail.figures().missing, { count: 1, micros: 3e6 })
    assert.equal(await preflight(rail, address(3)), Result.WithdrawalSourceUnavailable)
    assert.equal(await preflight(rail, address(1)), Result.Accepted)
    await rail.stop()
  }
  rmSync(missingPath)
  const { rail, alarms, sender } = await begin()
  rail.start(sender)
  assert.deepEqual([alarms, rail.figures().missing], [[], { count: 0, micros: 0 }])
  await rail.stop()
})

test("a start without a rail knows the earlier deliveries: they prove the journal's end, and an accepted loss is recorded", async (t) => {
  const { begin } = folderOf(t)
  await delivered(begin)
  const accepting = await begin('none')
  assert.deepEqual(
    accepting.rail.journalEvidence.map(({ seq }) => seq),
    [30],
  )
  accepting.rail.onLoss(10)
  accepting.rail.start(accepting.sender)
  assert.match(accepting.alarms[0]!, new RegExp(`3 USD of ${address(3)}`))
  assert.equal(await preflight(accepting.rail, address(1)), Result.WithdrawalSourceUnavailable)
  await accepting.rail.stop()
  const { rail, sender } = await begin()
  rail.start(sender)
  assert.equal(await preflight(rail, address(3)), Result.WithdrawalSourceUnavailable)
  assert.equal(await preflight(rail, address(1)), Result.Accepted)
  await rail.stop()
})

test('a withdrawal that the journal has again is no longer missing', async (t) => {
  const { begin, missingPath } = folderOf(t)
  await delivered(begin)
  const { rail, sender, isSettled } = await begin()
  rail.onLoss(0)
  assert.equal(rail.figures().missing.count, 2)
  rail.onEntry(publishedOf(3, 40))
  assert.deepEqual(rail.figures().missing, { count: 1, micros: 1e6 })
  assert.deepEqual(JSON.parse(readFileSync(missingPath, 'utf8')).length, 1)
  rail.start(sender)
  await isSettled(1)
  await rail.stop()
})

test('a damaged file of missing withdrawals is named', async (t) => {
  const { begin, missingPath } = folderOf(t)
  writeFileSync(missingPath, '[{')
  await assert.rejects(begin, /withdrawals-missing\.json: /)
})

test('published withdrawals are counted by state, and the oldest is known', async (t) => {
  const { begin } = folderOf(t)
  const { rail } = await begin()
  for (const number of [3, 2, 1, 4]) rail.onEntry(publishedOf(number, number))
  rail.onEntry({ ...publishedOf(2, 5), delivery: DeliveryStatus.Included })
  const { Completed, Failed, PendingManualReview: domain } = DomainStatus
  rail.onEntry({ ...publishedOf(1, 6), domain: Completed, delivery: DeliveryStatus.Finalized })
  rail.onEntry({ ...publishedOf(4, 7), domain, delivery: DeliveryStatus.Expired })
  const { open, ended, oldestMillis } = rail.figures()
  assert.deepEqual(open, {
    pending: { count: 1, micros: 3e6 },
    in_transit: { count: 1, micros: 2e6 },
    stuck: { count: 1, micros: 4e6 },
  })
  assert.deepEqual(ended.delivered, { count: 1, micros: 1e6 })
  assert.equal(oldestMillis, 2000)
  rail.onEntry({ ...publishedOf(4, 8), domain: Failed, delivery: DeliveryStatus.Expired })
  assert.deepEqual(rail.figures().ended.failed, { count: 1, micros: 4e6 })
  await rail.stop()
})

test('an unknown result prevents a start: nothing is delivered instead of failing', async (t) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'venue-rail-'))
  t.after(() => rmSync(dataDir, { recursive: true }))
  const outcomes = `${plain}=never`
  const config = testConfig({ dataDir, 'withdrawals.outcomes': outcomes })
  const rail = new VenueRail(config, () => {})
  await assert.rejects(async () => rail.open(), /withdrawals\.outcomes/)
})
