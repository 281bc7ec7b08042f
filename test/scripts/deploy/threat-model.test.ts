import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { projectPath } from '../../support/project.js'

const page = readFileSync(projectPath('scripts/deploy/threat-model/README.md'), 'utf8')
const rows = rowsOf('Surface')

/** Cells of the table whose first column has this name. */
function rowsOf(column: string): string[][] {
  const table = new RegExp(`^\\| ${column} \\|.*\\n\\|[-| ]+\\|\\n((?:\\|.*\\n)+)`, 'm').exec(
    page,
  )![1]!
  const lines = table.trim().split('\n')
  return lines.map((line) => line.split('|').map((cell) => cell.trim()))
}

test('each attack has a defense and existing tests', () => {
  assert.ok(rows.length > 20)
  for (const [, , attack = '', holds = '', tests = ''] of rows) {
    const named = [...tests.matchAll(/`(test\/[\w./-]+\.test\.ts)`/g)].map(([, path]) => path!)
    assert.ok(attack !== '' && holds !== '' && named.length > 0, attack)
    for (const path of named) assert.ok(existsSync(projectPath(path)), `${attack}: ${path}`)
  }
})

test('each growing collection has a place, a limit and a result beyond it', () => {
  const collections = rowsOf('Collection')
  assert.ok(collections.length > 30)
  for (const [, name = '', place = '', growth = '', bound = '', beyond = ''] of collections) {
    const file = /^`([\w./-]+\.ts)`$/.exec(place)?.[1] ?? ''
    assert.ok(file !== '' && existsSync(projectPath(file)), `${name}: ${place}`)
    for (const cell of [growth, bound, beyond]) assert.notEqual(cell, '', name)
    assert.match(bound, /\d|one |tier|half|`/, name)
  }
})
