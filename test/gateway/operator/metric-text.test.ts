import assert from 'node:assert/strict'
import { test } from 'node:test'
import { by, metricText } from '../../../gateway/operator/metric-text.js'

test('a metric has its help, its type and a sample per label value', () => {
  const text = metricText([
    {
      name: 'commands_total',
      help: 'Commands taken',
      samples: () => by('thread', { core: 12, journal: 0.5 }),
    },
    { name: 'none', help: 'Nothing', isLeftOut: true, samples: () => [] },
    { name: 'some', help: 'Nothing yet', samples: () => [] },
  ])
  assert.equal(
    text,
    '# HELP strikebook_commands_total Commands taken\n' +
      '# TYPE strikebook_commands_total counter\n' +
      'strikebook_commands_total{thread="core"} 12\n' +
      'strikebook_commands_total{thread="journal"} 0.5\n\n' +
      '# HELP strikebook_some Nothing yet\n' +
      '# TYPE strikebook_some gauge\n\n',
  )
})

test('numbers of any size are written in their shortest form', () => {
  for (const value of [1, 1e6, 2 ** 53 - 1, 1e21, 0.1, 1 / 3, 5e-7, 1_700_000_000.123]) {
    const text = metricText([
      { name: 'n', help: 'h', samples: () => by('thread', { core: value }) },
    ])
    assert.ok(text.includes(`n{thread="core"} ${value}\n`), text)
  }
})
