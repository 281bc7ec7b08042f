import assert from 'node:assert/strict'
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { allocateRing, Ring } from '../../../engine/memory/ring.js'
import type { OperatorOutcome, OperatorSender } from '../../../gateway/operator/operator-port.js'
import { RailRecord } from '../../../gateway/rail/rail-record.js'
import { VenueRail } from '../../../gateway/rail/venue-rail.js'
import { DeliveryStatus, isFinalDelivery } from '../../../schemas/domain.js'
import {
  AnyCommand,
  CommandType,
  NoteFileCommand,
  SettleWithdrawalCommand,
} from '../../../schemas/generated/commands.js'
import type { RecordSink } from '../../../schemas/record-views.js'
import { Result } from '../../../schemas/results.js'
import { testConfig } from '../../support/gateway-rig.js'
import { destination, Engine, Life } from '../../support/rail-lives.js'

// A process dies between any two steps of a withdrawal, and the record of the rail is lost before the next
// one: nothing is delivered twice, with or without the operator's acceptance.

const endless = Number.POSITIVE_INFINITY
const command = new AnyCommand()

/** Runs a venue's rail until its process dies, or nothing more happens. @returns its alarms. */
async function live(
  life: Life,
  engine: Engine,
  dataDir: string,
  flags: Readonly<Record<string, string>>,
): Promise<readonly string[]> {
  const { write } = RailRecord.prototype
  RailRecord.prototype.write = async function (delivery) {
    await life.border()
    await write.call(this, delivery)
    await life.border()
  }
  const alarms: string[] = []
  const config = testConfig({ dataDir, 'withdrawals.stepMillis': '1', ...flags })
  const rail = new VenueRail(config, (text) => alarms.push(text))
  rail.open()
  const { openCount } = engine.rig.state.withdrawals
  await rail.prepare({ recordBytes: engine.railBytes, openCount, seq: 1000 })
  const sender: OperatorSender = {
    async send(write) {
      await life.border()
      const result = apply(engine, write)
      await life.border()
      engine.flush()
      await life.border()
      rail.onEntry(engine.entry())
      return { result, seq: 1 } as OperatorOutcome
    },
  }
  rail.start(sender)
  rail.onEntry(engine.entry())
  const isOver = async () => {
    for (let looks = 0; looks < 40 && !life.isDead; looks++) {
      await sleep(1)
      if (isFinalDelivery(engine.entry().delivery)) break
    }
    await sleep(2)
  }
  await Promise.race([life.died, isOver()])
  life.isDead = true
  const fault = rail.fault()
  RailRecord.prototype.write = write
  await rail.stop()
  return fault === null ? [] : [fault]
}

function apply(engine: Engine, write: (sink: RecordSink) => boolean): Result {
  const ring = new Ring(allocateRing(4096), 'producer')
  write(ring as unknown as RecordSink)
  ring.commit()
  const { recordType } = command.over(ring, 0)
  if (recordType === CommandType.NoteFile) {
    engine.noteRail(new NoteFileCommand().of(command).bytes)
    return Result.Accepted
  }
  const settled = new SettleWithdrawalCommand().of(command)
  const id = settled.u8.slice(settled.directiveIdAt, settled.directiveIdAt + 16)
  const name = engine.rig.settle(id, settled.delivery as DeliveryStatus, 1)
  return Result[name as keyof typeof Result]
}

function deliveries(path: string): number {
  if (!existsSync(path)) return 0
  const lines = readFileSync(path, 'utf8').split('\n').slice(0, -1)
  return lines.filter((line) => JSON.parse(line).delivery === DeliveryStatus.Finalized).length
}

const losses: Readonly<Record<string, (path: string) => void>> = {
  gone: (path) => rmSync(path),
  empty: (path) => writeFileSync(path, ''),
  'cut by a line': (path) => {
    const lines = readFileSync(path, 'utf8').split('\n').slice(0, -2)
    writeFileSync(path, lines.map((line) => `${line}\n`).join(''))
  },
}

async function dieAt(t: TestContext, last: number, what: string, outcome: string): Promise<number> {
  const dataDir = mkdtempSync(join(tmpdir(), 'lost-record-'))
  t.after(() => rmSync(dataDir, { recursive: true }))
  const path = join(dataDir, 'rail.jsonl')
  const before = join(dataDir, 'before.jsonl')
  const flags: Record<string, string> =
    outcome === '' ? {} : { 'withdrawals.outcomes': `${destination}=${outcome}` }
  // The venue began with it, before anything was withdrawn.
  writeFileSync(path, '')
  const engine = new Engine()
  const first = new Life(last)
  await live(first, engine, dataDir, flags)
  engine.restart()
  copyFileSync(path, before)
  losses[what]!(path)
  const isOpen = engine.rig.state.withdrawals.openCount > 0
  const alarms = await live(new Life(endless), engine, dataDir, {})
  const delivered = () => deliveries(before) + deliveries(path)
  // Of the simulated rail the line is the delivery: one that was cut before the journal knew it was none.
  const cut = what === 'cut by a line' && alarms.length === 0 ? deliveries(path) : 0
  assert.ok(delivered() - cut <= 1, `delivered ${delivered()} times`)
  if (what === 'gone' && isOpen) assert.match(alarms.join(), /^rail\.jsonl /)
  await live(new Life(endless), engine, dataDir, { acceptLostFiles: 'on' })
  assert.ok(delivered() - cut <= 1, `delivered ${delivered()} times after the acceptance`)
  if (isOpen) assert.ok(isFinalDelivery(engine.entry().delivery), 'it has an end')
  return first.borders
}

for (const outcome of ['', 'slow', 'unheard']) {
  for (const what of Object.keys(losses)) {
    test(`${outcome || 'plain'}, record ${what}: a withdrawal is delivered at most once, wherever the process died`, async (t) => {
      const borders = await dieAt(t, endless, what, outcome)
      for (let last = 0; last < borders; last++) {
        await t.test(`border ${last}`, (each) => dieAt(each, last, what, outcome).then(() => {}))
      }
    })
  }
}
