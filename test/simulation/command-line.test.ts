import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { longTest } from '../support/long-test.js'
import { strikebook, strikebookAlone } from '../support/strikebook.js'
import { simulate } from './simulation.js'

const run = (...flags: readonly string[]) => strikebook('simulate', ...flags)

longTest('the same command line prints the same trace in another process', () => {
  const flags = ['--seed', '7', '--steps', '60', '--without', 'clock,stall', '--json']
  const [one, other] = [run(...flags), strikebookAlone('simulate', ...flags)]
  assert.equal(one.code, 0)
  assert.equal(other.out, one.out)
  const { ok, traceHash, statistics } = JSON.parse(one.out)
  assert.equal(ok, true)
  assert.match(traceHash, /^[0-9a-f]{16}$/)
  assert.equal(statistics['fault clock'], undefined)
})

test("the simulator prints a line per seed with the hash of its run's events", () => {
  const folder = mkdtempSync(join(tmpdir(), 'strikebook-simulate-'))
  const path = join(folder, 'events.txt')
  assert.equal(run('--seed', '7', '--seeds', '2', '--steps', '60', '--events', path).code, 0)
  const results = [7, 8].map((seed) => simulate({ seed, steps: 60 }))
  const lines = results.map(({ seed, eventsHash }) => `${seed} ${eventsHash}\n`)
  assert.equal(readFileSync(path, 'utf8'), lines.join(''))
  assert.notEqual(results[0].eventsHash, results[1].eventsHash)
  for (const { traceHash, eventsHash } of results) assert.notEqual(traceHash, eventsHash)
  rmSync(folder, { recursive: true })
})

test('the simulator explains a wrong command line and exits with 2', () => {
  for (const flags of [['--seed', '0'], ['--without', 'rain'], ['--steps', 'many'], ['--fast']]) {
    const { code, error } = run(...flags)
    assert.equal(code, 2, flags.join(' '))
    assert.match(error, /^error: /)
  }
  assert.equal(run('--help').code, 0)
})
