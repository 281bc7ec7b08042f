import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { test } from 'node:test'

/** Prints from both kinds of threads, then says on its second try what has failed. */
const program = `
import { Worker } from 'node:worker_threads'
const { outliveOutputs } = await import(process.argv[1])
const outputs = outliveOutputs()
const words = "console.error('worker'); console.log('worker')"
new Worker(words, { eval: true }).on('exit', async () => {
  process.stdout.write('one')
  const failure = await outputs.failure()
  process.stdout.write('two')
  process.stderr.write(String(failure))
})
`

function run(output: number | 'pipe', error: number | 'pipe') {
  const file = new URL('../../gateway/outputs.js', import.meta.url).href
  const words = ['--input-type=module', '-e', program, file]
  return spawnSync(process.execPath, words, {
    stdio: ['ignore', output, error],
    encoding: 'utf8',
  })
}

test('a process and its worker threads survive full outputs, and the process knows the failure', () => {
  const full = openSync('/dev/full', 'w')
  const lostOutput = run(full, 'pipe')
  assert.equal(lostOutput.status, 0, lostOutput.stderr)
  assert.match(lostOutput.stderr, /Error: ENOSPC: no space left on device, write$/)
  const lostError = run('pipe', full)
  assert.deepEqual([lostError.status, lostError.stdout], [0, 'worker\nonetwo'])
  assert.equal(run(full, full).status, 0)
  closeSync(full)
})

test('a reader that closes standard output is not a failure', () => {
  const file = new URL('../../gateway/outputs.js', import.meta.url).href
  const words = ['-c', '"$0" "$@" | true', process.execPath, '--input-type=module', '-e']
  const { status, stderr } = spawnSync('/bin/sh', [...words, program, file], { encoding: 'utf8' })
  assert.equal(status, 0)
  assert.match(stderr, /worker\n(null)?$/)
})
