import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { projectPath } from '../../support/project.js'

const page = readFileSync(projectPath('scripts/deploy/threat-model/README.md'), 'utf8')
const table = /^\| Surface \|.*\n\|[-| ]+\|\n((?:\|.*\n)+)/m.exec(page)![1]!
const rows = table
  .trim()
  .split('\n')
  .map((line) => line.split('|').map((cell) => cell.trim()))

test('each attack has what holds against it, and tests that are there', () => {
  assert.ok(rows.length > 20)
  for (const [, , attack = '', holds = '', tests = ''] of rows) {
    const named = [...tests.matchAll(/`(test\/[\w./-]+\.test\.ts)`/g)].map(([, path]) => path!)
    assert.ok(attack !== '' && holds !== '' && named.length > 0, attack)
    for (const path of named) assert.ok(existsSync(projectPath(path)), `${attack}: ${path}`)
  }
})
