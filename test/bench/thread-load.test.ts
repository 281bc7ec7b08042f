import assert from 'node:assert/strict'
import { test } from 'node:test'
import { restRole, ThreadLoad } from '../../bench/thread-load.js'

test('a working thread is distinguished from idle ones', () => {
  const load = new ThreadLoad(process.pid, [{ role: 'test', thread_id: process.pid }])
  load.begin()
  const cpuBegin = process.cpuUsage()
  while (process.cpuUsage(cpuBegin).user < 100_000);
  const cores = load.cores()
  assert.deepEqual([...cores.keys()], ['test', restRole])
  assert.ok(cores.get('test')! > 0.05, `${cores.get('test')} cores`)
  assert.ok(cores.get(restRole)! < cores.get('test')!)
})
