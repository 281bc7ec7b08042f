import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { NodeFiles } from '../../../engine/journal/node-files.js'
import { timedFile } from '../../../engine/journal/timed-file.js'

test('the timed file passes everything through and times every flush with its bytes, for new and continued files', () => {
  const root = mkdtempSync(join(tmpdir(), 'strikebook-timed-'))
  try {
    let now = 0
    const seen: number[][] = []
    const files = new NodeFiles(root, false, (file) =>
      timedFile(
        file,
        () => (now += 5),
        (...millis) => seen.push(millis),
      ),
    )
    const created = files.create('a')
    created.write([Uint8Array.of(1, 2), Uint8Array.of(3)], 0)
    created.flush()
    created.close()
    const opened = files.open('a')
    opened.truncate(2)
    opened.flush()
    opened.close()
    files.rename('a', 'b')
    files.syncDirectory('')
    assert.deepEqual(files.list(''), ['b'])
    assert.equal(files.bytesOf('b'), 2)
    assert.deepEqual([...files.read('b')], [1, 2])
    files.remove('b')
    assert.deepEqual(files.list(''), [])
    assert.deepEqual(seen, [
      [5, 5],
      [0, 5],
    ])
  } finally {
    rmSync(root, { recursive: true })
  }
})
