import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { segmentName } from '../../../../engine/journal/segment-format.js'
import { snapshotName } from '../../../../engine/journal/snapshot-store.js'
import { historyPath, openHistory } from '../../../../gateway/read-model/history/history-schema.js'
import { refuseOldRelease } from '../../../../gateway/read-model/history/old-release.js'
import { VenueFolder } from '../../../../scripts/venue-data/venue-folder.js'
import { CoreRig } from '../../../support/core-rig.js'
import { RigFolder } from '../../../support/rig-folder.js'

const markAt = 68

/** A small journal and a history store. */
function folderOf(context: TestContext): string {
  const folder = new RigFolder(new CoreRig().openMarket().batches)
  context.after(() => folder.dispose())
  openHistory(folder.dataDir).close()
  return folder.dataDir
}

function patch(path: string, at: number, bytes: Buffer | string): void {
  const content = readFileSync(path)
  content.set(Buffer.from(bytes), at)
  writeFileSync(path, content)
}

/** Names and contents of all files. */
function contentOf(dataDir: string): readonly (readonly [string, string])[] {
  return readdirSync(dataDir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map((path) => [path, readFileSync(path).toString('hex')])
}

const patches: Readonly<Record<string, (dataDir: string) => void>> = {
  segment: (dataDir) => patch(join(dataDir, 'journal', segmentName(0)), 0, 'SBKJ'),
  snapshot: (dataDir) => {
    const segment = join(dataDir, 'journal', segmentName(0))
    const snapshot = join(dataDir, 'journal', snapshotName(7))
    renameSync(segment, snapshot)
    patch(snapshot, 0, 'SBKS')
  },
  'history store': (dataDir) => patch(historyPath(dataDir), markAt, Buffer.alloc(4)),
}

for (const [name, makeOld] of Object.entries(patches)) {
  test(`a folder with a ${name} of a release before 1.0 is rejected by name and is not changed`, (context) => {
    const dataDir = folderOf(context)
    refuseOldRelease(dataDir)
    makeOld(dataDir)
    const before = contentOf(dataDir)
    const sentence =
      `the data in ${dataDir} was written by a release before 1.0, which this release cannot read: ` +
      'move the folder away, or start with another --data-dir'
    assert.throws(() => refuseOldRelease(dataDir), { message: sentence })
    assert.throws(() => new VenueFolder(dataDir), { message: sentence })
    assert.deepEqual(contentOf(dataDir), before)
  })
}

test('new files, empty files and files that are not a store are accepted', (context) => {
  const dataDir = folderOf(context)
  const store = historyPath(dataDir)
  truncateSync(store)
  refuseOldRelease(dataDir)
  writeFileSync(store, Buffer.alloc(8192, 7))
  refuseOldRelease(dataDir)
  rmSync(dataDir, { recursive: true })
  refuseOldRelease(dataDir)
  openHistory(dataDir).close()
  refuseOldRelease(dataDir)
})

test('a start on such a folder exits with one line and code 3, and changes nothing', (context) => {
  const dataDir = folderOf(context)
  patches['segment']!(dataDir)
  const before = contentOf(dataDir)
  const main = join(import.meta.dirname, '../../../../gateway/main.js')
  const ports = ['--port=0', '--operator-port=0']
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [main, ...ports, `--data-dir=${dataDir}`],
    { encoding: 'utf8' },
  )
  assert.equal(status, 3)
  assert.equal(stdout, '')
  const refused = stderr.split('\n').filter((line) => line.includes('before 1.0'))
  assert.equal(refused.length, 1)
  assert.ok(JSON.parse(refused[0]!).msg.includes(dataDir))
  assert.deepEqual(contentOf(dataDir), before)
})
