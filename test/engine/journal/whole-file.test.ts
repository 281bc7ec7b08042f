import assert from 'node:assert/strict'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setFileAside, writeWholeFile } from '../../../engine/journal/whole-file.js'

const folder = mkdtempSync(join(tmpdir(), 'whole-file-'))
after(() => rmSync(folder, { recursive: true }))
const path = join(folder, 'a.json')

test('a text replaces the previous one, readable by its owner alone', () => {
  writeWholeFile(path, 'one and more')
  writeWholeFile(path, 'two')
  assert.equal(readFileSync(path, 'utf8'), 'two')
  assert.equal(statSync(path).mode & 0o777, 0o600)
  assert.ok(!existsSync(`${path}.part`))
})

test('leftovers of a killed process do not get in the way', () => {
  writeFileSync(`${path}.part`, 'half of a much longer text')
  chmodSync(`${path}.part`, 0o644)
  writeWholeFile(path, 'three')
  assert.equal(readFileSync(path, 'utf8'), 'three')
  assert.equal(statSync(path).mode & 0o777, 0o600)
})

test('if the write fails the previous text stays', () => {
  writeWholeFile(path, 'four')
  mkdirSync(`${path}.part`)
  assert.throws(() => writeWholeFile(path, 'five'), /EISDIR/)
  assert.equal(readFileSync(path, 'utf8'), 'four')
})

test('a quarantined file has the reported name', () => {
  const other = join(folder, 'b.json')
  writeFileSync(other, 'damaged')
  const aside = setFileAside(other)
  assert.ok(!existsSync(other))
  assert.equal(readFileSync(aside, 'utf8'), 'damaged')
})
