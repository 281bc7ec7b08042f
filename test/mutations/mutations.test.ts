import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { projectPath } from '../support/project.js'
import { allMutants } from './all-mutants.js'
import { auctionMutants } from './auction-mutants.js'
import { countOf, mutate } from './mutant.js'
import { rfqMutants } from './rfq-mutants.js'

test('each fault of the mutation check fits the source and what it compiles to', () => {
  for (const mutant of allMutants) {
    const { file, original } = mutant
    const source = readFileSync(projectPath(file), 'utf8')
    assert.equal(countOf(original, source), 1, `${file}: ${original}`)
    const path = join(import.meta.dirname, '../..', file.replace(/\.ts$/, '.js'))
    const compiled = readFileSync(path, 'utf8')
    assert.notEqual(mutate(mutant, compiled), compiled)
  }
})

test('there are ten faults or more each for book, core, margin, journal and what is declared, no two alike', () => {
  for (const rooms of [/^matching/, /^core|^state/, /^risk/, /^journal/, /generated/]) {
    const ofRooms = allMutants.filter(({ file }) => rooms.test(file.slice(file.indexOf('/') + 1)))
    assert.ok(ofRooms.length >= 10, String(rooms))
  }
  const texts = allMutants.map(({ file, original }) => `${file} ${original}`)
  assert.equal(new Set(texts).size, texts.length)
})

test('there are twenty faults or more each for requests for quote and for auctions', () => {
  for (const mutants of [rfqMutants, auctionMutants]) {
    assert.ok(mutants.length >= 20)
    for (const mutant of mutants) assert.ok(allMutants.includes(mutant), mutant.fault)
  }
})

test('a fault whose place is gone, or is not the only one, is an error', () => {
  const mutant = { file: 'a.ts', fault: '', original: 'a < b', replacement: 'a <= b' }
  assert.equal(mutate(mutant, 'if (a < b)'), 'if (a <= b)')
  assert.throws(() => mutate(mutant, 'a > b'), /has 0 times/)
  assert.throws(() => mutate(mutant, 'a < b || a < b'), /has 2 times/)
  assert.equal(mutate({ ...mutant, replacement: '$&$1' }, 'a < b'), '$&$1')
})
