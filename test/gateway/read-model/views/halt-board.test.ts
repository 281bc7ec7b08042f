import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allocateExchangeMemory } from '../../../../engine/memory/exchange-memory.js'
import { HaltBoard } from '../../../../gateway/read-model/views/halt-board.js'
import { underlyingsMax } from '../../../../schemas/bounds.js'
import { HaltMode } from '../../../../schemas/domain.js'

test('an underlying is shown once its name is known, whatever stood before it without one', () => {
  const memory = new SharedArrayBuffer(1 << 8)
  const [written, read] = [new HaltBoard(memory), new HaltBoard(memory)]
  const modes = new Uint8Array([HaltMode.Open, HaltMode.Halted, HaltMode.CancelOnly])
  assert.deepEqual(read.read(), [])
  written.write(['BTC', '', 'ETH'], modes)
  assert.deepEqual(read.read(), [
    { underlying: 'BTC', mode: HaltMode.Open },
    { underlying: 'ETH', mode: HaltMode.CancelOnly },
  ])
  modes[2] = HaltMode.Open
  written.write(['BTC', 'SP500', 'ETH'], modes)
  assert.deepEqual(read.read(), [
    { underlying: 'BTC', mode: HaltMode.Open },
    { underlying: 'SP500', mode: HaltMode.Halted },
    { underlying: 'ETH', mode: HaltMode.Open },
  ])
})

test('what does not fit is left out', () => {
  const board = new HaltBoard(new SharedArrayBuffer(24))
  board.write(['BTC', 'ETH'], new Uint8Array(2))
  assert.deepEqual(board.read(), [{ underlying: 'BTC', mode: HaltMode.Open }])
})

test('the memory of an exchange has a row for each underlying that there may be', () => {
  const board = new HaltBoard(allocateExchangeMemory(1, 1).haltBoard)
  const names = Array.from({ length: underlyingsMax }, (_, u) => `U${u}`)
  board.write(names, new Uint8Array(underlyingsMax).fill(HaltMode.Halted))
  assert.deepEqual(
    board.read().map(({ underlying }) => underlying),
    names,
  )
})
