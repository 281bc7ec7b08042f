import assert from 'node:assert/strict'
import { test } from 'node:test'
import { resolveConfig } from '../../gateway/config/config.js'
import { startSummary, TerminalLog } from '../../gateway/terminal-log.js'

const time = new Date(2026, 0, 1, 9, 5, 7).getTime()

test('a terminal shows warnings, errors and the end, a short line each', () => {
  let shown = ''
  const log = new TerminalLog((text) => {
    shown += text
  })
  const lines = [
    { level: 30, time, msg: 'starting', config: { preset: 'development' } },
    { level: 40, time, role: 'maker', msg: 'no quotes' },
    { level: 60, time, role: 'core', msg: 'core failed: gone', err: { stack: 'long' } },
    { level: 30, time, msg: 'stopped' },
  ]
  for (const line of lines) log.write(`${JSON.stringify(line)}\n`)
  assert.deepEqual(shown.split('\n'), [
    ...['09:05:07 warning: maker: no quotes', '09:05:07 fatal: core: core failed: gone'],
    ...['09:05:07 stopped', ''],
  ])
})

test('a summary names the pages, the operator and the market', () => {
  const { config } = resolveConfig({ flags: new Map(), environment: {} })
  const build = { version: '1.2.3', commit: '', ref: '', buildTime: '' }
  const [url, operatorUrl] = ['http://127.0.0.1:8080', 'http://127.0.0.1:8081']
  const text = startSummary({ config, build, url, operatorUrl, tookMillis: 2345 })
  assert.match(text, /^Strikebook 1\.2\.3, preset development, is ready \(2\.3 s\)\n/)
  for (const part of [
    `${url}/app`,
    `${url}/docs`,
    operatorUrl,
    'simulated feed, market maker on',
    './data',
    'Ctrl-C',
  ]) {
    assert.ok(text.includes(part), part)
  }
  assert.ok(text.length < 600)
})
