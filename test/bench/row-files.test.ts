import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { commonRow } from '../../bench/common-row.js'
import { readRows, writeRows } from '../../bench/row-files.js'

const folder = mkdtempSync(join(tmpdir(), 'strikebook-rows-'))
after(() => rmSync(folder, { recursive: true }))

const row = (name: string, unit: string) => {
  const measured = { name, unit, value: 1, range: { min: 1, max: 2 }, extra: { runs: 3 } }
  return commonRow(measured, 'load', true)
}
const rate = row('load.goodput', 'commands/s')
const latency = row('load.p99', 'ms')
const path = join(folder, 'now.json')
const paths = [join(folder, 'now.bigger.json'), join(folder, 'now.smaller.json')] as const

/** Reads a file as github-action-benchmark's custom tools do, and checks the types that it declares. */
function actionRows(file: string) {
  const rows = JSON.parse(readFileSync(file, 'utf8'))
  return rows.map(({ name, value, unit, range, extra }: Record<string, unknown>) => {
    const texts = { name, unit, range, extra }
    for (const [field, text] of Object.entries(texts)) assert.equal(typeof text, 'string', field)
    assert.equal(typeof value, 'number')
    return name
  })
}

test('rows of two directions become two files for an action, and one baseline', () => {
  assert.deepEqual(writeRows(path, [rate, latency]), paths)
  assert.deepEqual(paths.map(actionRows), [['load.goodput'], ['load.p99']])
  assert.ok(!existsSync(path))
  assert.deepEqual(readRows(path), [rate, latency])
})

test('rows of one direction become one file, which replaces those of an earlier run', () => {
  writeRows(path, [rate, latency])
  assert.deepEqual(writeRows(path, [latency]), [path])
  assert.deepEqual(actionRows(path), ['load.p99'])
  assert.deepEqual(readRows(path), [latency])
  assert.deepEqual(writeRows(path, [rate, latency]), paths)
  assert.ok(!existsSync(path))
})

test('a link of that name stays', () => {
  const link = join(folder, 'link.json')
  symlinkSync('/dev/null', link)
  writeRows(link, [rate, latency])
  assert.ok(existsSync(link))
})

test('a file without rows is an error with its name', () => {
  const other = join(folder, 'other.json')
  for (const text of ['[]', '{}', 'null', '[{"value":1,"extra":{"quick":true}}]']) {
    writeFileSync(other, text)
    assert.throws(() => readRows(other), /other\.json has no rows/, text)
  }
  assert.throws(() => readRows(join(folder, 'none.json')), /ENOENT.*none\.json/)
})
