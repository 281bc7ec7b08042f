import assert from 'node:assert/strict'
import {
  closeSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { buildWhole } from '../../scripts/bundle-pages.js'

test('a build replaces each file as a whole: a reader of the earlier one reads it to its end', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'bundle-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const entry = join(folder, 'thread.js')
  const part = join(folder, 'part-chunk-ABCDEFGH.js')
  writeFileSync(entry, 'earlier')
  const open = openSync(entry, 'r')
  const build = async (options: Readonly<Record<string, unknown>>) => {
    assert.equal(options['write'], false)
    return {
      outputFiles: [
        { path: entry, contents: Buffer.from('later') },
        { path: part, contents: Buffer.from('part') },
      ],
    }
  }
  await buildWhole(build, {})
  assert.equal(readFileSync(open, 'utf8'), 'earlier')
  closeSync(open)
  assert.equal(readFileSync(entry, 'utf8'), 'later')
  assert.deepEqual(readdirSync(folder).sort(), ['part-chunk-ABCDEFGH.js', 'thread.js'])
})
