import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CoreReplica } from '../../../engine/core/replica.js'
import { JournalDamage } from '../../../engine/journal/journal-errors.js'
import { type RecoveredJournal, recoverJournal } from '../../../engine/journal/recovery.js'
import { segmentHeaderBytes, segmentName } from '../../../engine/journal/segment-format.js'
import { checkHash } from '../../../engine/journal/snapshotter.js'
import { engineConfigDefault } from '../../../engine/state/market/engine-config.js'
import { AnyCommand, CommandType } from '../../../schemas/generated/commands.js'
import { JournaledBatch } from '../../../schemas/generated/journal.js'
import { isLongRun } from '../../support/long-test.js'
import { versions } from './journal-fixture.js'
import { JournaledCore } from './journaled-core.js'
import { PrefixDisk } from './prefix-disk.js'

const seed = 20261122
const journalBytes = 1 << 15
const whole = new JournaledCore(seed, 2 * journalBytes)
const segmented = new JournaledCore(seed + 1, journalBytes, 1 << 13)
// Fifty thousand errors: their stacks would cost more than the checks.
Error.stackTraceLimit = 0
/** Interval of the tested lengths that are not at a record boundary; a long run tests all. */
const lengthStep = isLongRun ? 1 : 11
const emptyHash = hashOf(new CoreReplica(engineConfigDefault))

test('the journal contains every type of command, in many batches and groups', () => {
  const types = new Set<number>()
  const command = new AnyCommand()
  for (const batch of whole.rig.batches) {
    for (let at = 0; at < batch.commandBytes; at += command.recordBytes) {
      types.add(command.over(batch, at).recordType)
    }
  }
  const all = new Set<number>(Object.values(CommandType))
  // Commands of the engine itself, about clocks and losses, which this journal does not contain.
  const { AcceptLoss, BurnNonces, SetClockAlarm, AcceptClock } = CommandType
  for (const type of [AcceptLoss, BurnNonces, SetClockAlarm, AcceptClock]) all.delete(type)
  assert.deepEqual(
    [...all].filter((type) => !types.has(type)),
    [],
    `seed ${seed}`,
  )
  assert.ok(whole.files.bytesOf(segmentName(0)) >= 2 * journalBytes)
  assert.ok(whole.borders.length >= 50)
  assert.ok(segmented.files.list('').length >= 4)
})

test('recovery returns every batch with the bytes of its commands', () => {
  for (const core of [whole, segmented]) {
    let index = 0
    recoverJournal({ files: core.files.copy(), fromBatch: 1, versions }, (batch) => {
      const { u8, commandsAt, commandBytes } = batch
      const commands = u8.slice(commandsAt, commandsAt + commandBytes)
      assert.deepEqual(commands, core.borders[index++]!.commands)
    })
    assert.equal(index, core.rig.batches.length)
  }
})

test('a journal cut at any byte recovers exactly its complete batches', () => {
  const name = segmentName(0)
  const disk = new PrefixDisk(whole.files)
  for (let length = 0, batches = 0; length <= whole.files.bytesOf(name); length++) {
    const isBorder = whole.borders[batches]?.end === length
    if (isBorder) batches++
    if (!isBorder && length > segmentHeaderBytes && length % lengthStep > 0) continue
    disk.restore()
    disk.lengths.set(name, length)
    const recovered = recover(disk, whole)
    assert.equal(recovered.batchCount, batches, `cut at ${length}: batches`)
    // The flush that acknowledged a batch had written everything up to the last batch it acknowledged.
    const durable = whole.borders.findLast(
      ({ acknowledged }) => acknowledged <= batches,
    )?.acknowledged
    assert.ok(recovered.nextBatchNumber > (durable ?? 0), `cut at ${length}: acknowledged`)
    assertCut(disk, name, recovered, length, whole.borders[batches - 1]?.end ?? segmentHeaderBytes)
  }
})

test('the recovered core has the state hash of the last complete batch, wherever the cut is', () => {
  const disk = new PrefixDisk(whole.files)
  const name = segmentName(0)
  for (const [index, { at, end, hash }] of whole.borders.entries()) {
    const before = whole.borders[index - 1]?.hash ?? emptyHash
    disk.lengths.set(name, index % 2 === 0 ? end - 1 : at + 1)
    assert.deepEqual(recoveredHash(disk), before, `cut in batch ${index + 1}`)
    disk.lengths.set(name, end)
    assert.deepEqual(recoveredHash(disk), hash, `cut at ${end}`)
  }
})

test('a cut of the newest segment at any byte keeps all earlier segments and its complete batches', () => {
  const disk = new PrefixDisk(segmented.files)
  const newest = disk.list('').length - 1
  const name = segmentName(newest)
  const { borders } = segmented
  const sealed = borders.filter(({ segmentNumber }) => segmentNumber < newest)
  for (let length = 0, batches = sealed.length; length <= segmented.files.bytesOf(name); length++) {
    const next = borders[batches]
    const isBorder = next?.segmentNumber === newest && next.end === length
    if (isBorder) batches++
    if (!isBorder && length > segmentHeaderBytes && length % lengthStep > 0) continue
    disk.restore()
    disk.lengths.set(name, length)
    const recovered = recover(disk, segmented)
    assert.equal(recovered.batchCount, batches, `cut at ${length}`)
    if (length < segmentHeaderBytes) {
      assert.deepEqual(
        disk.changed,
        [name],
        'recovery removes a segment whose creation was interrupted',
      )
      assert.equal(recovered.segmentNumber, newest - 1)
    } else {
      const end = batches === sealed.length ? segmentHeaderBytes : borders[batches - 1]!.end
      assertCut(disk, name, recovered, length, end)
    }
  }
})

test('recovery fails at a cut in a finished segment, names the place and changes nothing', () => {
  const disk = new PrefixDisk(segmented.files)
  const newest = disk.list('').length - 1
  for (let segment = 0; segment < newest; segment++) {
    const name = segmentName(segment)
    const ends = segmented.borders
      .filter(({ segmentNumber }) => segmentNumber === segment)
      .map(({ end }) => end)
    let sound = segmentHeaderBytes
    for (let length = 0; length < segmented.files.bytesOf(name); length++) {
      const isBorder = ends.includes(length)
      if (isBorder) sound = length
      if (!isBorder && length > segmentHeaderBytes && length % (5 * lengthStep) > 0) continue
      disk.restore()
      disk.lengths.set(name, length)
      const offset = length < segmentHeaderBytes ? 0 : sound
      const damage = refusalOf(disk)
      const where = `${name} cut at ${length}: ${damage.message}`
      if (damage.file !== name || damage.offset !== offset) assert.fail(where)
      assert.equal(disk.changed.length, 0, where)
    }
  }
})

/** Recovers, and checks that every batch is the one written at its place, after the same state. */
function recover(files: PrefixDisk, core: JournaledCore): RecoveredJournal {
  let index = 0
  return recoverJournal({ files, fromBatch: 1, versions }, (batch) => {
    const border = core.borders[index]!
    const before = core.borders[index - 1]?.hash ?? emptyHash
    const isAsWritten =
      batch.batchNumber === border.batchNumber &&
      batch.commandsAt === border.at + JournaledBatch.bytes &&
      batch.commandBytes === border.commands.length &&
      batch.hashLow === before.low &&
      batch.hashHigh === before.high
    if (!isAsWritten) assert.fail(`batch ${batch.batchNumber} in place of ${border.batchNumber}`)
    index++
  })
}

function refusalOf(files: PrefixDisk): JournalDamage {
  try {
    recoverJournal({ files, fromBatch: 1, versions }, () => {})
  } catch (error) {
    if (error instanceof JournalDamage) return error
    throw error
  }
  throw new Error('recovery did not fail')
}

function recoveredHash(files: PrefixDisk): { low: number; high: number } {
  const replica = new CoreReplica(engineConfigDefault)
  recoverJournal({ files, fromBatch: 1, versions }, (batch) => {
    checkHash(replica, batch)
    replica.applyBatch(batch)
  })
  return hashOf(replica)
}

/**
 * Asserts that the file now ends with its last complete batch, and that recovery reported all cut bytes except zeros at
 * the end.
 */
function assertCut(
  disk: PrefixDisk,
  name: string,
  recovered: RecoveredJournal,
  length: number,
  end: number,
): void {
  if (length < segmentHeaderBytes) {
    assert.deepEqual(disk.list(''), [], `cut at ${length}: a torn header is removed`)
    assert.equal(recovered.segmentNumber, -1)
    return
  }
  const torn = disk.contentOf(name).subarray(end, length)
  assert.equal(recovered.offset, end, `cut at ${length}: offset`)
  assert.equal(disk.bytesOf(name), end, `cut at ${length}: length now`)
  const cutBytes = torn.findLastIndex((byte) => byte !== 0) + 1
  assert.equal(recovered.cutBytes, cutBytes, `cut at ${length}: reported bytes`)
}

function hashOf(replica: CoreReplica): { low: number; high: number } {
  const { low, high } = replica.stateHash()
  return { low, high }
}
