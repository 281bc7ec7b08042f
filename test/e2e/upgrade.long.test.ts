import assert from 'node:assert/strict'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { walletOf } from '../../bench/event-script.js'
import { NodeFiles } from '../../engine/journal/node-files.js'
import { listSegments, readSegmentHeader } from '../../engine/journal/segment-reader.js'
import { engineVersion } from '../../engine/state/engine-version.js'
import {
  expectedOf,
  type FolderKind,
  folderKinds,
  unpackFolder,
} from '../support/folder-fixture.js'
import { folderRoot, writer } from '../support/kept-folder.js'
import { eventually, Venue, type Wire } from './support/venue.js'

const { lastBatch, lastSeq } = expectedOf(folderRoot).clean.informed
/** Wallet that trades. */
const trader = walletOf(3)

/** Returns a venue on a kept folder: a journal, its snapshots and its archive, but no history store. */
function venueOn(kind: FolderKind, context: TestContext): Venue {
  const venue = new Venue({ arguments: ['--set=service.name=Folder', '--set=chainId=1'] })
  context.after(() => venue.dispose())
  unpackFolder(folderRoot, kind, join(venue.dataDir, 'journal'))
  return venue
}

/** Returns a client's view of the wallet, once the history store is rebuilt. */
async function viewOf(venue: Venue): Promise<unknown> {
  const path = `/fills?wallet=${trader}`
  await eventually('the history is there', async () => (await venue.get(path)).status === 200)
  const { data } = await venue.read(path)
  assert.ok(data.length > 0, 'the kept release has published fills')
  const { positions } = (await venue.read(`/portfolio?wallet=${trader}`)).data
  assert.ok(positions.length > 0, 'the kept release has left open positions')
  return { data, held: positions.map(({ symbol, amount }: Wire) => [symbol, amount]) }
}

function lastWriter(venue: Venue): number {
  const files = new NodeFiles(join(venue.dataDir, 'journal'))
  return readSegmentHeader(files, listSegments(files).at(-1)!).engineVersion
}

for (const kind of folderKinds) {
  const end = kind === 'clean' ? 'graceful end' : 'kill'
  // Its second start follows the other kind of end.
  const signal = kind === 'clean' ? 'SIGKILL' : 'SIGTERM'
  test(`a venue starts twice on data kept from its ${end}`, async (context) => {
    const venue = venueOn(kind, context)
    await venue.start()
    const { seq } = await venue.operatorState()
    assert.ok(seq >= lastSeq, `${seq}`)
    const view = await viewOf(venue)
    const upgraded = /upgrade: snapshot-\d*(\d{3})\.state is written by engine version (\d+)/g
    const noted = () => [...venue.log().matchAll(upgraded)].map(([, ...words]) => words.map(Number))
    const wanted = writer.engine === engineVersion ? [] : [[lastBatch, engineVersion]]
    assert.deepEqual(noted(), wanted)
    assert.equal(lastWriter(venue), engineVersion)
    await venue.end(signal)
    await venue.start()
    assert.deepEqual(await viewOf(venue), view, `after ${signal}`)
    assert.deepEqual(noted(), wanted, 'the log has no other upgrade')
    assert.equal(await venue.end(), 0)
  })
}
