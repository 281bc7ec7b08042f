import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { allocateRing, Ring } from '../../../engine/memory/ring.js'
import type { OperatorOutcome, OperatorSender } from '../../../gateway/operator/operator-port.js'
import { RailDriver } from '../../../gateway/rail/rail-driver.js'
import { RailRecord } from '../../../gateway/rail/rail-record.js'
import { parseOutcomes, SimulatedRail } from '../../../gateway/rail/simulated-rail.js'
import {
  type DeliveryStatus,
  DomainStatus,
  deliveryStatusNames,
  isFinalDelivery,
  WithdrawalVerdict,
} from '../../../schemas/domain.js'
import { SettleWithdrawalCommand } from '../../../schemas/generated/commands.js'
import type { RecordSink } from '../../../schemas/record-views.js'
import { Result } from '../../../schemas/results.js'
import { destination, Engine, Life } from '../../support/rail-lives.js'

// A withdrawal of an engine, a driver and a rail with a record on disk, in which the process dies between any two steps,
// one run for each, and the next process continues.

const endless = Number.POSITIVE_INFINITY

/** Runs a process until it dies, or until the withdrawal has ended for the rail. */
async function live(life: Life, engine: Engine, dataDir: string, outcome: string): Promise<void> {
  const { write } = RailRecord.prototype
  RailRecord.prototype.write = async function (delivery) {
    await life.border()
    await write.call(this, delivery)
    await life.border()
  }
  const outcomes = parseOutcomes(outcome === 'plain' ? '' : `${destination}=${outcome}`)
  const rail = await SimulatedRail.open({ dataDir, outcomes, stepMillis: 0 })
  const settled = new SettleWithdrawalCommand()
  const sender: OperatorSender = {
    async send(command) {
      await life.border()
      const ring = new Ring(allocateRing(4096), 'producer')
      command(ring as unknown as RecordSink)
      ring.commit()
      settled.over(ring, 0)
      const id = settled.u8.slice(settled.directiveIdAt, settled.directiveIdAt + 16)
      const name = engine.rig.settle(id, settled.delivery as DeliveryStatus, 1)
      await life.border()
      engine.flush()
      await life.border()
      driver.take(engine.entry())
      return { result: Result[name as keyof typeof Result] } as OperatorOutcome
    },
  }
  const alarms: string[] = []
  const driver = new RailDriver({
    ...{ rail, sender, alarm: (text) => alarms.push(text), tally: { errors: 0, retries: 0 } },
    retryMillisFirst: 1,
  })
  driver.take(engine.entry())
  const isOver = async () => {
    while (!life.isDead && !isFinalDelivery(engine.entry().delivery)) await sleep(1)
    // Steps after the end, which nothing waits for.
    await sleep(2)
  }
  await Promise.race([life.died, isOver()])
  life.isDead = true
  driver.stop()
  RailRecord.prototype.write = write
  await rail.close()
  assert.deepEqual(alarms, [])
}

/** Returns the final statuses in the record. */
function endsOf(dataDir: string): string[] {
  const lines = readFileSync(join(dataDir, 'rail.jsonl'), 'utf8').trim().split('\n')
  const statuses = lines.map((line) => JSON.parse(line).delivery as DeliveryStatus)
  return statuses.filter(isFinalDelivery).map((status) => deliveryStatusNames[status]!)
}

/** Lets the process die after `last` steps. @returns the number of steps. */
async function dieAt(t: TestContext, last: number, outcome: string): Promise<number> {
  const dataDir = mkdtempSync(join(tmpdir(), 'crash-steps-'))
  t.after(() => rmSync(dataDir, { recursive: true }))
  const engine = new Engine()
  const first = new Life(last)
  await live(first, engine, dataDir, outcome)
  if (last !== endless) {
    engine.restart()
    await live(new Life(endless), engine, dataDir, outcome)
  }
  const end = outcome === 'plain' || outcome === 'slow' ? 'finalized' : outcome
  assert.deepEqual(endsOf(dataDir), [end], 'the rail has come to one end')
  const { rig, id, totalMicros } = engine
  if (end === 'expired') {
    assert.deepEqual([rig.cash(5), rig.inTransit], [900, 100])
    assert.equal(rig.judge(id, WithdrawalVerdict.Returned), 'Accepted')
  }
  const cash = end === 'finalized' ? 900 : 1000
  assert.deepEqual([rig.cash(5), rig.inTransit], [cash, 0])
  assert.equal(rig.totalMicros, totalMicros - (1000 - cash) * 1e6)
  const domain = end === 'finalized' ? DomainStatus.Completed : DomainStatus.Failed
  assert.equal(engine.entry().domain, domain)
  return first.borders
}

for (const outcome of ['plain', 'slow', 'core_rejected', 'reverted', 'expired']) {
  test(`${outcome}: after a crash between any two steps it is delivered once or refunded once`, async (t) => {
    const borders = await dieAt(t, endless, outcome)
    assert.ok(borders >= 7, `${borders} steps`)
    for (let last = 0; last < borders; last++) {
      await t.test(`border ${last}`, (each) => dieAt(each, last, outcome).then(() => {}))
    }
  })
}
