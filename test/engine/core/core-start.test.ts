import assert from 'node:assert/strict'
import { test } from 'node:test'
import { recoverCore } from '../../../engine/core/core-start.js'
import { engineVersions } from '../../../engine/core/engine-versions.js'
import { JournalLink } from '../../../engine/core/journal-link.js'
import { silentCore } from '../../../engine/core/replica.js'
import { JournalLoss } from '../../../engine/journal/journal-errors.js'
import { historyEndAt } from '../../../engine/journal/journal-loss.js'
import { JournalWriter } from '../../../engine/journal/journal-writer.js'
import { emptyJournal, findEnd } from '../../../engine/journal/recovery.js'
import { segmentName } from '../../../engine/journal/segment-format.js'
import { Found, SegmentReader } from '../../../engine/journal/segment-reader.js'
import { allocateEventLog, DurableGate } from '../../../engine/memory/event-log.js'
import { allocateRing, Ring } from '../../../engine/memory/ring.js'
import { engineVersion } from '../../../engine/state/engine-version.js'
import { engineConfigDefault } from '../../../engine/state/market/engine-config.js'
import { journalRingBytes, matcherRingBytes } from '../../../schemas/bounds.js'
import { Tier } from '../../../schemas/domain.js'
import { CoreRig } from '../../support/core-rig.js'
import { MemoryFiles } from '../../support/memory-files.js'

const smallLogBytes = 1 << 18

/** Returns a journal whose last batch published more events than the event log holds, so it has only a bound. */
function journalWithBound(): { files: MemoryFiles; seq: number; batchNumber: number } {
  const files = new MemoryFiles()
  const memory = allocateRing(journalRingBytes)
  const journal = new JournalLink(new Ring(memory, 'producer'), () => {}, false)
  const writer = new JournalWriter({
    files,
    ring: new Ring(memory, 'consumer'),
    gate: new DurableGate(allocateEventLog(1 << 16)),
    wakeups: [],
    durability: 'memory',
    engineVersion,
    resume: emptyJournal,
  })
  writer.onStart()
  const rig = new CoreRig(engineConfigDefault, 1, { logBytes: smallLogBytes, journal })
  rig.openMarket().tier(2, Tier.MarketMaker)
  rig.run().events()
  for (let i = 0; i < 400; i++) rig.place({ wallet: 2, side: 'Sell', price: '3400', size: '0.01' })
  rig.place({ wallet: 1, side: 'Buy', price: '3400', size: '4' })
  rig.run().events()
  while (writer.doWork() > 0) {}
  writer.onClose()
  // An empty batch follows it and has the exact sequence.
  const batchNumber = rig.state.batchNumber - 1
  const reader = new SegmentReader(files, 0)
  while (reader.batch.batchNumber < batchNumber) assert.equal(reader.next(), Found.Batch)
  files.files.set(segmentName(0), files.contentOf(segmentName(0)).slice(0, reader.offset))
  return { files, seq: rig.state.sink.seq, batchNumber }
}

function recover(files: MemoryFiles, historySeq: number, acceptsLoss = false) {
  const { core } = silentCore(engineConfigDefault, matcherRingBytes)
  const options = {
    files,
    versions: engineVersions,
    history: historyEndAt(historySeq),
    acceptsLoss,
  }
  return recoverCore(core, { ...options, onBatch: () => {}, pause: () => {} })
}

test('the end of the journal follows from the replay, not from the bound that a batch journaled in advance', () => {
  const { files, seq, batchNumber } = journalWithBound()
  assert.ok(findEnd(files).seqAfter > seq + 5, 'the segments have only a bound')
  for (const acceptsLoss of [false, true]) {
    const { resume, loss } = recover(files.copy(), seq, acceptsLoss)
    assert.deepEqual([resume.seqAfter, resume.nextBatchNumber, loss], [seq, batchNumber + 1, null])
  }
})

test('a sequence between the last event and that bound is a loss, and the venue reuses no number up to it', () => {
  const { files, seq, batchNumber } = journalWithBound()
  const before = files.copy()
  assert.throws(() => recover(files, seq + 5), JournalLoss)
  assert.deepEqual(files.files, before.files, 'a refusal changes nothing')
  const { resume, loss } = recover(files, seq + 5, true)
  assert.deepEqual([loss?.seq, loss?.border.seq], [seq, seq + 5])
  assert.equal(resume.seqAfter, seq + 5)
  assert.equal(resume.nextBatchNumber, batchNumber + 5 + 1)
})
