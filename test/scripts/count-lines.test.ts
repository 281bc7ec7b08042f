import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'

const script = join(import.meta.dirname, '../../scripts/count-lines.js')

test('lines are counted by folder and in total, without generated files and files that are not source', () => {
  const root = mkdtempSync(join(tmpdir(), 'strikebook-count-'))
  const files = {
    'engine/exchange.ts': 'one\ntwo // more\n',
    'engine/core/core.ts': '// none\none\n',
    'engine/core/deep/er.ts': 'one\n',
    'engine/core/README.md': 'none\n',
    'gateway/main.ts': '\none\n',
    'schemas/generated/rows.ts': 'one\ntwo\n',
    'engine/tables/generated/rows.ts': 'one\n',
    'schemas/rows.ts': 'one\n',
    'test/none.ts': 'none\n',
  }
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true })
    writeFileSync(join(root, name), text)
  }
  const { stdout } = spawnSync(process.execPath, [script, root], { encoding: 'utf8' })
  rmSync(root, { recursive: true })
  const lines = stdout.trimEnd().split('\n')
  assert.deepEqual(
    lines.map((line) => line.trim()),
    [
      '4  engine',
      '2  engine/core',
      '1  gateway',
      '1  schemas',
      '6  sum',
      '3  generated, not counted',
    ],
  )
})
