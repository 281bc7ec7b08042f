import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatTotals } from '../../../gateway/operator/metric-text.js'

test('a metric has its help, its type and a sample per label value', () => {
  const values = [
    { of: 'core', value: 12 },
    { of: 'journal', value: 0.5 },
  ]
  const name = 'strikebook_commands_total'
  const text = formatTotals([
    { name, help: 'Commands taken', kind: 'counter', label: 'thread', values },
    { name: 'strikebook_none', help: 'Nothing', kind: 'gauge', label: 'thread', values: [] },
  ])
  assert.equal(
    text,
    '# HELP strikebook_commands_total Commands taken\n' +
      '# TYPE strikebook_commands_total counter\n' +
      'strikebook_commands_total{thread="core"} 12\n' +
      'strikebook_commands_total{thread="journal"} 0.5\n\n',
  )
})

test('numbers of any size are written in their shortest form', () => {
  for (const value of [1, 1e6, 2 ** 53 - 1, 1e21, 0.1, 1 / 3, 5e-7, 1_700_000_000.123]) {
    const values = [{ of: 'core', value }]
    const text = formatTotals([{ name: 'n', help: 'h', kind: 'gauge', label: 'thread', values }])
    assert.ok(text.includes(`n{thread="core"} ${value}\n`), text)
  }
})
