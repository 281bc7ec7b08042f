import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { alarms } from '../../../scripts/deploy/alarms.js'
import { metricNamesIn, metricTable, monitoringFiles } from '../../../scripts/deploy/monitoring.js'
import { sharedVenue } from '../../e2e/support/shared-venue.js'
import { projectPath } from '../../support/project.js'

const venue = sharedVenue()
const folder = 'scripts/deploy/generated'
const table = metricTable()
const names = new Set(table.map(({ name }) => name))

test('rules, dashboard and the page of alarms agree with the tables', () => {
  for (const [name, text] of Object.entries(monitoringFiles())) {
    const kept = readFileSync(projectPath(join(folder, name)), 'utf8')
    assert.equal(kept, text, `${name}: npm run generate`)
  }
})

test('every expression names existing metrics, and a running venue shows all that are never omitted', async () => {
  const { panels } = JSON.parse(monitoringFiles()['dashboard.json']!)
  const shown = panels.map(({ targets }: { targets: { expr: string }[] }) => targets[0]!.expr)
  for (const expression of [...shown, ...alarms.map((alarm) => alarm.expression)]) {
    const read = metricNamesIn(expression)
    assert.ok(read.length > 0 || expression.startsWith('up{'), expression)
    for (const name of read) assert.ok(names.has(name), `${expression}: ${name} is no metric`)
  }
  const published = [...(await venue.metrics()).matchAll(/^# TYPE strikebook_(\S+) /gm)].map(
    ([, name]) => name!,
  )
  assert.deepEqual(
    published.filter((name) => !names.has(name)),
    [],
  )
  const always = table.filter(({ isLeftOut }) => !isLeftOut).map(({ name }) => name)
  assert.deepEqual(
    always.filter((name) => !published.includes(name)),
    [],
  )
  // A counter that first appears with a value above 0 has no increase for Prometheus.
  const rising = alarms.flatMap(({ expression }) =>
    [...expression.matchAll(/increase\(strikebook_(\w+)/g)].map(([, name]) => name!),
  )
  assert.ok(rising.length > 3)
  assert.deepEqual(
    rising.filter((name) => !published.includes(name)),
    [],
  )
})

test('every alarm of the guide is a rule and the other way round, each once', () => {
  const read = (name: string) => readFileSync(projectPath(join(folder, name)), 'utf8')
  const rules = [...read('alerts.yml').matchAll(/- alert: (\w+)/g)].map(([, name]) => name!)
  const published = [...read('README.md').matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name!)
  assert.deepEqual(rules, published)
  assert.equal(new Set(rules).size, alarms.length)
})

test('every alarm has all texts that a rule and the guide need', () => {
  for (const { name, expression, for: span, severity, means, action } of alarms) {
    assert.match(span, /^\d+[smh]$/, name)
    assert.ok(severity === 'page' || severity === 'ticket', name)
    for (const text of [expression, means, action]) assert.ok(text.length > 0, name)
  }
})

const hasVerifier = spawnSync('systemd-analyze', ['--version']).status === 0

test('systemd accepts the unit', { skip: !hasVerifier && 'no systemd-analyze' }, () => {
  const copy = mkdtempSync(join(tmpdir(), 'strikebook-unit-'))
  try {
    // Paths of a machine that has it installed.
    const text = readFileSync(projectPath('scripts/deploy/strikebook.service'), 'utf8')
    const path = join(copy, 'strikebook.service')
    writeFileSync(path, text.replace('/usr/bin/node', process.execPath))
    const output = execFileSync('systemd-analyze', ['verify', '--man=no', path], {
      encoding: 'utf8',
      stdio: 'pipe',
    })
    assert.equal(output, '')
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
})
