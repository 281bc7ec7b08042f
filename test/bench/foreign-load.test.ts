import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { foreignTicks, parseProcess } from '../../bench/foreign-load.js'

const root = 100

function processOf(id: number, parent: number, ticks: number, isKernel = false) {
  return { id, parent, ticks, isKernel }
}

test('only processes outside this family and the kernel are foreign', () => {
  const processes = (passed: number) => [
    processOf(1, 0, 50),
    processOf(2, 0, 50 + passed, true),
    processOf(root, 1, 10 + passed),
    processOf(101, root, 10 + passed),
    processOf(102, 101, 10 + passed),
    processOf(200, 1, 10 + passed),
    processOf(201, 200, 20 + 2 * passed),
  ]
  assert.equal(foreignTicks(processes(0), processes(7), root), 7 + 14)
  assert.equal(foreignTicks(processes(0), processes(0), root), 0)
})

test('a process that began after the first sample is left out, with its earlier time', () => {
  const before = [processOf(200, 1, 10)]
  const after = [processOf(200, 1, 13), processOf(201, 1, 4000)]
  assert.equal(foreignTicks(before, after, root), 3)
})

test('a line of the kernel is parsed after its name, whatever the name contains', () => {
  const text = '4711 (a ) b (c) S 12 4711 1 0 -1 4194560 5 0 0 0 30 12 0 0 20 0 9 0 1 2 3'
  assert.deepEqual(parseProcess(text), { id: 4711, parent: 12, isKernel: false, ticks: 42 })
  const kernel = '77 (kworker/0:1H-kblockd) I 2 0 0 0 -1 69238880 0 0 0 0 0 9 0 0 0 -20 1 0 9'
  assert.equal(parseProcess(kernel).isKernel, true)
})

test('this process finds itself', { skip: process.platform !== 'linux' }, () => {
  const own = parseProcess(readFileSync('/proc/self/stat', 'utf8'))
  assert.equal(own.id, process.pid)
  assert.equal(own.parent, process.ppid)
})
