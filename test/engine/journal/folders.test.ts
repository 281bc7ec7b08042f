import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { engineVersions } from '../../../engine/core/engine-versions.js'
import { ownVersion } from '../../../engine/journal/engine-versions.js'
import { NodeFiles } from '../../../engine/journal/node-files.js'
import { listSegments, readSegmentHeader } from '../../../engine/journal/segment-reader.js'
import {
  expectedOf,
  type FolderKind,
  type Found,
  folderKinds,
  makeFolders,
  openFolder,
  unpackFolder,
} from '../../support/folder-fixture.js'
import { projectPath } from '../../support/project.js'

// Opens kept data folders with the current engine and compares the events that they publish.

const kept = projectPath('test/vectors/folders')
const roots = readdirSync(kept).map((name) => join(kept, name))

function emptyFolder(context: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'strikebook-folder-'))
  context.after(() => rmSync(folder, { recursive: true }))
  return folder
}

function open(context: TestContext, root: string, kind: FolderKind, historySeq: number): Found {
  const folder = emptyFolder(context)
  unpackFolder(root, kind, folder)
  return openFolder(new NodeFiles(folder), historySeq)
}

test('each earlier version has its folders', () => {
  const earlier = engineVersions.map(({ engine }) => engine).slice(0, -1)
  const versions = roots.map((root) => expectedOf(root).engineVersion)
  for (const engine of earlier) assert.ok(versions.includes(engine), `version ${engine}`)
})

test("the newest version's release is the package's, except for the last number", () => {
  const { version } = JSON.parse(readFileSync(projectPath('package.json'), 'utf8'))
  const release = (text: string) => text.replace(/\.\d+$/, '')
  assert.equal(release(version), release(ownVersion(engineVersions).release))
})

for (const root of roots) {
  const expected = expectedOf(root)
  const { clean, killed } = expected
  const version = `engine version ${expected.engineVersion}`

  test(`after a graceful end of ${version} a start uses only its last snapshot`, (context) => {
    const found = open(context, root, 'clean', clean.informed.lastSeq)
    assert.equal(found.snapshotBatch, found.lastBatch)
    assert.equal(found.events.count, 0)
    assert.deepEqual(found, clean.informed)
  })

  test(`after a kill of ${version} a start uses a snapshot and replays the journal after it`, (context) => {
    const found = open(context, root, 'killed', killed.informed.lastSeq)
    assert.ok(found.snapshotBatch > 0 && found.replayed > 0 && found.cutBytes > 0)
    assert.deepEqual(found, killed.informed)
  })

  test(`a replay of everything that ${version} journaled publishes the same events`, (context) => {
    const found = open(context, root, 'killed', 0)
    assert.equal(found.events.count, found.lastSeq)
    assert.deepEqual(found, killed.empty)
  })

  test(`segments and snapshots of ${version} name their writer`, (context) => {
    for (const kind of folderKinds) {
      const folder = emptyFolder(context)
      unpackFolder(root, kind, folder)
      const files = new NodeFiles(folder)
      for (const number of listSegments(files)) {
        assert.equal(readSegmentHeader(files, number).engineVersion, expected.engineVersion)
      }
    }
  })

  test(`every start from the folders of ${version} ends in the same state, and each table has rows`, () => {
    const ways = [clean.informed, killed.informed, killed.empty]
    for (const { stateHash, tables, bootstrap } of ways) {
      assert.deepEqual({ stateHash, tables, bootstrap }, pick(clean.informed))
    }
    for (const [name, rows] of Object.entries(clean.informed.tables)) assert.ok(rows !== 0, name)
  })
}

test('new folders match their expectations', (context) => {
  const root = join(emptyFolder(context), 'made')
  makeFolders(root)
  const { clean, killed } = expectedOf(root)
  const found = open(context, root, 'killed', killed.empty.lastSeq)
  assert.deepEqual(found, killed.informed)
  assert.deepEqual(pick(found), pick(clean.informed))
})

function pick({ stateHash, tables, bootstrap }: Found): Partial<Found> {
  return { stateHash, tables, bootstrap }
}
