import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bytesAt, doublesAt, grownMemory, rowCells, wordsAt } from '../../../engine/memory/rows.js'

test('columns of one memory share no cell', () => {
  const memory = new ArrayBuffer(4 * rowCells * 8)
  const columns = Array.from({ length: rowCells }, (_, cell) => doublesAt(memory, cell))
  for (let row = 0; row < 4 * rowCells; row += rowCells) {
    for (const [cell, column] of columns.entries()) column[row] = row * 100 + cell
  }
  for (let row = 0; row < 4 * rowCells; row += rowCells) {
    assert.deepEqual(
      columns.map((column) => column[row]),
      columns.map((_, cell) => row * 100 + cell),
    )
  }
})

test('words and bytes of a row have the same number as its doubles', () => {
  const words = new ArrayBuffer(2 * rowCells * 4)
  const bytes = new ArrayBuffer(2 * rowCells)
  wordsAt(words, 3)[rowCells] = -5
  bytesAt(bytes, 7)[rowCells] = 200
  assert.equal(new Int32Array(words)[rowCells + 3], -5)
  assert.equal(new Uint8Array(bytes)[rowCells + 7], 200)
})

test('grown memory begins with the old contents, followed by zeros', () => {
  const before = new ArrayBuffer(8)
  new Uint8Array(before).fill(7)
  const after = new Uint8Array(grownMemory(before, 16))
  assert.deepEqual([...after], [7, 7, 7, 7, 7, 7, 7, 7, 0, 0, 0, 0, 0, 0, 0, 0])
})
