import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'

const script = join(import.meta.dirname, '../../../scripts/simulate.js')

function run(...flags: readonly string[]): { code: number | null; out: string; error: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...flags])
  return { code: status, out: stdout.toString(), error: stderr.toString() }
}

test('the same command line prints the same trace, in another process, too', () => {
  const flags = ['--seed', '7', '--steps', '60', '--without', 'clock,stall', '--json']
  const [one, other] = [run(...flags), run(...flags)]
  assert.equal(one.code, 0)
  assert.equal(other.out, one.out)
  const { ok, traceHash, statistics } = JSON.parse(one.out)
  assert.equal(ok, true)
  assert.match(traceHash, /^[0-9a-f]{16}$/)
  assert.equal(statistics['fault clock'], undefined)
})

test('a wrong command line is told what is wrong, and exits with 2', () => {
  for (const flags of [['--seed', '0'], ['--without', 'rain'], ['--steps', 'many'], ['--fast']]) {
    const { code, error } = run(...flags)
    assert.equal(code, 2, flags.join(' '))
    assert.match(error, /^error: /)
  }
  assert.equal(run('--help').code, 0)
})
