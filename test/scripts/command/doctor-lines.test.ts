import assert from 'node:assert/strict'
import { test } from 'node:test'
import { doctorLines } from '../../../scripts/command/doctor-lines.js'
import type { Check } from '../../../scripts/command/machine-checks.js'

const path = `/usr/lib/${'x'.repeat(100)}.node`
const checks: readonly Check[] = [
  { name: 'clock source', standing: 'good', found: 'tsc', advice: '' },
  {
    ...{ name: 'flush', standing: 'fair', found: '1.8 ms median' },
    advice:
      'a disk whose cache outlives a power cut, and no other writer: every acknowledgement waits for a flush',
  },
  { name: 'binaries', standing: 'bad', found: `the library ${path} changed`, advice: 'npm ci' },
]

test('in a terminal of 80 columns each line fits, and continues at the column where its text begins', () => {
  const lines = doctorLines(checks, 80)
  assert.deepEqual(lines.slice(0, 5), [
    'check         rating  found',
    'clock source  good    tsc',
    'flush         fair    1.8 ms median',
    '                      fix: a disk whose cache outlives a power cut, and no other',
    '                      writer: every acknowledgement waits for a flush',
  ])
  for (const line of lines) assert.ok(line.length <= 80, line)
})

test('a word that is longer than a line is broken, and no character is lost', () => {
  const lines = doctorLines(checks, 80)
  assert.ok(
    lines
      .map((line) => line.trim())
      .join('')
      .includes(path),
  )
  assert.equal(lines.at(-1), '                      fix: npm ci')
})

test('without a terminal each check is one line of a table', () => {
  const lines = doctorLines(checks, undefined)
  assert.equal(lines.length, 1 + checks.length)
  assert.match(lines[0]!, /^check +rating +found +fix$/)
  assert.match(lines[2]!, /^flush +fair +1\.8 ms median +a disk .+ for a flush$/)
})
