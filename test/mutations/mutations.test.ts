import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { projectPath } from '../support/project.js'
import { allMutants, mutantsByArea } from './all-mutants.js'
import { countOf, mutate, parseMutants } from './mutant.js'

test('each fault of the mutation check matches the source and its compiled code', () => {
  for (const mutant of allMutants) {
    const { file, original } = mutant
    const source = readFileSync(projectPath(file), 'utf8')
    assert.equal(countOf(original, source), 1, `${file}: ${original}`)
    const path = join(import.meta.dirname, '../..', file.replace(/\.ts$/, '.js'))
    const compiled = readFileSync(path, 'utf8')
    assert.notEqual(mutate(mutant, compiled), compiled)
  }
})

test('there are at least ten different faults each for book, core, margin, journal and declarations', () => {
  for (const rooms of [/^matching/, /^core|^state/, /^risk/, /^journal/, /generated/]) {
    const ofRooms = allMutants.filter(({ file }) => rooms.test(file.slice(file.indexOf('/') + 1)))
    assert.ok(ofRooms.length >= 10, String(rooms))
  }
  const texts = allMutants.map(({ file, original }) => `${file} ${original}`)
  assert.equal(new Set(texts).size, texts.length)
})

test('there are at least twenty faults each for requests for quote and for auctions', () => {
  for (const area of ['rfq', 'auction']) assert.ok(mutantsByArea.get(area)!.length >= 20)
})

test('a fault whose place is missing or ambiguous is an error', () => {
  const mutant = { file: 'a.ts', fault: '', original: 'a < b', replacement: 'a <= b' }
  assert.equal(mutate(mutant, 'if (a < b)'), 'if (a <= b)')
  assert.throws(() => mutate(mutant, 'a > b'), /has 0 times/)
  assert.throws(() => mutate(mutant, 'a < b || a < b'), /has 2 times/)
  assert.equal(mutate({ ...mutant, replacement: '$&$1' }, 'a < b'), '$&$1')
})

test('a file of faults is read verbatim, with spaces in quotations', () => {
  const text =
    'a.ts\n  one\n    -  < b\n    +\n  two\n    - c\n    + d\n\nb.ts\n  three\n    - e\n    +  f\n'
  assert.deepEqual(parseMutants(text), [
    { file: 'a.ts', fault: 'one', original: ' < b', replacement: '' },
    { file: 'a.ts', fault: 'two', original: 'c', replacement: 'd' },
    { file: 'b.ts', fault: 'three', original: 'e', replacement: ' f' },
  ])
})

test('every line of the files of faults is part of a fault', () => {
  for (const [area, mutants] of mutantsByArea) {
    const text = readFileSync(projectPath(`test/mutations/faults/${area}.txt`), 'utf8')
    const files = new Set(mutants.map(({ file }) => file))
    const lines = text.split('\n').filter((line) => line !== '' && !files.has(line))
    assert.equal(lines.length, 3 * mutants.length, area)
  }
})
