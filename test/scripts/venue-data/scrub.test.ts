import assert from 'node:assert/strict'
import { readdirSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'
import { segmentHeaderBytes } from '../../../engine/journal/segment-format.js'
import { scrubJournal } from '../../../scripts/venue-data/scrub.js'
import { VenueFolder } from '../../../scripts/venue-data/venue-folder.js'
import { KeptData } from '../../support/kept-data.js'

let data: KeptData
beforeEach(() => {
  data = new KeptData('clean')
})
afterEach(() => data.dispose())

const scrub = () => scrubJournal(new VenueFolder(data.dataDir))
const path = (file: string) => join(data.dataDir, file)

/** Files of the journal and its archive whose names match, from the data folder. */
function filesOf(name: RegExp): string[] {
  return readdirSync(path('journal'), { recursive: true, encoding: 'utf8' })
    .filter((file) => name.test(file))
    .map((file) => join('journal', file))
    .sort()
}

function flipBit(file: string, offset: number): void {
  const bytes = readFileSync(path(file))
  bytes[offset] ^= 1
  writeFileSync(path(file), bytes)
}

test('a sound folder has no fault, and every file is counted', () => {
  const { faults, notes, segments, snapshots, batches, lastSeq } = scrub()
  assert.deepEqual(faults, [])
  assert.deepEqual(notes, [])
  assert.equal(segments, filesOf(/segment-/).length)
  assert.equal(snapshots, filesOf(/snapshot-/).length)
  assert.ok(batches > 100)
  assert.ok(lastSeq > 100)
})

test('a flipped bit of a record is found with its file and the offset of the record, archived or not', () => {
  const segments = filesOf(/segment-/)
  assert.ok(segments.some((file) => file.includes('archive/')))
  for (const file of segments.slice(0, -1)) {
    flipBit(file, segmentHeaderBytes + 20)
    const { faults } = scrub()
    assert.deepEqual(
      faults.map((fault) => [fault.file, fault.offset]),
      [[file, segmentHeaderBytes]],
    )
    flipBit(file, segmentHeaderBytes + 20)
  }
})

test('each of several faults is reported, and the bytes between them are still checked', () => {
  const [first, second] = filesOf(/segment-/)
  const before = scrub().batches
  flipBit(first!, segmentHeaderBytes + 100)
  flipBit(first!, 20_000)
  flipBit(second!, segmentHeaderBytes + 100)
  const { faults, batches } = scrub()
  assert.deepEqual(
    faults.map(({ file }) => file),
    [first, first, second],
  )
  assert.ok(batches >= before - 3)
})

test('a segment that is missing, cut or under another name is found', () => {
  const segments = filesOf(/segment-/)
  const [, second] = segments
  truncateSync(path(second!), 10_000)
  assert.match(
    scrub()
      .faults.map(({ what }) => what)
      .join(),
    /once it had|without a valid record/,
  )
  renameSync(path(second!), path('journal/aside'))
  assert.match(scrub().faults[0]!.what, /the segment is missing/)
  renameSync(path(segments.at(-1)!), path(second!))
  assert.match(scrub().faults[0]!.what, /under another name/)
})

test('a flipped bit of a snapshot is found, in its head and in its state', () => {
  for (const file of filesOf(/snapshot-/)) {
    for (const offset of [20, 2000]) {
      flipBit(file, offset)
      const { faults } = scrub()
      assert.equal(faults.length, 1, file)
      assert.equal(faults[0]!.file, file)
      flipBit(file, offset)
    }
  }
})

test('a snapshot beyond the end of the journal is found', () => {
  const segments = filesOf(/segment-/)
  let what = ''
  // As if the newest segments had been lost with a disk, until one is that a snapshot was made in.
  while (what === '' && segments.length > 1) {
    rmSync(path(segments.pop()!))
    what = scrub()
      .faults.filter(({ file }) => file.includes('snapshot-'))
      .map((fault) => fault.what)
      .join()
  }
  assert.match(what, /it is of batch \d+, the journal ends with \d+/)
})

test('an unflushed tail is a note, and not a fault', () => {
  const killed = new KeptData('killed')
  const { faults, notes } = scrubJournal(new VenueFolder(killed.dataDir))
  assert.deepEqual(faults, [])
  assert.match(notes.join(), /bytes of an unflushed tail/)
  killed.dispose()
})
