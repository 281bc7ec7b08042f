import assert from 'node:assert/strict'
import { test } from 'node:test'
import { walletOf } from '../../../bench/event-script.js'
import { quoteRig, wireRow } from '../../../bench/quote-rig.js'
import { InstrumentState } from '../../../schemas/domain.js'

const [one, other] = [walletOf(1), walletOf(2)]
const [left, right] = ['aa'.repeat(16), 'bb'.repeat(16)]

test('all threads show the published rows of a provider, and a full snapshot withdraws omitted ones', () => {
  const { publish, shown } = quoteRig()
  publish(0, one, [wireRow(0, '1', '2'), wireRow(1, '3', '4')])
  publish(1, other, [wireRow(1, '5')])
  assert.deepEqual(shown(), [`0 ${one} 1/2`, `1 ${one} 3/4`, `1 ${other} 5/0`])
  publish(0, one, [wireRow(1, '3', '4.5')])
  assert.deepEqual(shown(), [`1 ${one} 3/4.5`, `1 ${other} 5/0`])
  publish(0, one, [])
  assert.deepEqual(shown(), [`1 ${other} 5/0`])
})

test('a scope withdraws its own rows only, and a row belongs to the scope that named it last', () => {
  const { publish, shown } = quoteRig()
  publish(0, one, [wireRow(0, '1')])
  publish(0, one, [wireRow(1, '2'), wireRow(2, '3')], { scope: left })
  publish(0, one, [wireRow(2, '4')], { scope: right })
  assert.deepEqual(shown(), [`0 ${one} 1/0`, `1 ${one} 2/0`, `2 ${one} 4/0`])
  publish(0, one, [wireRow(1, '2')], { scope: left })
  assert.deepEqual(shown(), [`0 ${one} 1/0`, `1 ${one} 2/0`, `2 ${one} 4/0`])
  publish(0, one, [], { scope: right })
  publish(0, one, [])
  assert.deepEqual(shown(), [`1 ${one} 2/0`])
})

test('the latest snapshot counts, on whichever gateway it arrived', () => {
  const { publish, shown } = quoteRig()
  publish(0, one, [wireRow(0, '1'), wireRow(1, '1')])
  publish(1, one, [wireRow(0, '2')])
  assert.deepEqual(shown(), [`0 ${one} 2/0`])
  publish(0, one, [wireRow(0, '1'), wireRow(1, '1')])
  assert.deepEqual(shown(), [`0 ${one} 1/0`, `1 ${one} 1/0`])
  publish(1, one, [wireRow(1, '3')], { scope: left })
  assert.deepEqual(shown(), [`0 ${one} 1/0`, `1 ${one} 3/0`])
})

test('two gateways that have not received from each other end in the same state', () => {
  const { publish, shown } = quoteRig()
  publish(0, one, [wireRow(0, '1'), wireRow(1, '1')])
  shown()
  publish(1, one, [wireRow(0, '2')])
  publish(0, one, [wireRow(0, '1'), wireRow(1, '1')])
  publish(1, one, [wireRow(2, '9')], { scope: left })
  publish(0, one, [wireRow(2, '8')], { scope: right })
  assert.deepEqual(shown(), [`0 ${one} 1/0`, `1 ${one} 1/0`, `2 ${one} 8/0`])
})

test('repeated rows cause no change', () => {
  const { publish, shown, changed, gateways } = quoteRig()
  const rows = [wireRow(0, '1'), wireRow(1, '1')]
  publish(0, one, rows, { millis: 1000 })
  shown()
  for (const heard of changed) heard.length = 0
  publish(0, one, rows, { millis: 2000 })
  shown()
  assert.deepEqual(changed, [[], []])
  for (const { board } of gateways) assert.equal(board.rowsOf(0)[0]!.updatedMillis, 2000)
})

test('rows are removed when they are not repeated in time, with their instrument, or with their provider', () => {
  const { publish, shown, gateways, tell } = quoteRig(2, 4, 100)
  publish(0, one, [wireRow(0, '1'), wireRow(1, '1')], { millis: 1000 })
  publish(1, other, [wireRow(1, '2'), wireRow(2, '2')], { millis: 1050 })
  shown()
  tell(1, InstrumentState.ExpiredPendingPrice)
  assert.deepEqual(shown(), [`0 ${one} 1/0`, `2 ${other} 2/0`])
  for (const quotes of gateways) quotes.tick(1099)
  assert.equal(shown().length, 2)
  for (const quotes of gateways) quotes.tick(1100)
  assert.deepEqual(shown(), [`2 ${other} 2/0`])
  for (const quotes of gateways) quotes.onProvider(other, 1, 0)
  assert.deepEqual(shown(), [])
  assert.equal(gateways[0]!.service.rowCount + gateways[1]!.service.rowCount, 0)
})

test('a lapped reader receives everything once more', () => {
  const { publish, shown, views, gateways } = quoteRig(2, 203)
  const long = '1'.repeat(63)
  publish(0, one, [wireRow(0, '5')], { scope: left })
  shown()
  for (let round = 0; round < 200; round++) {
    const text = `${long}${round % 10}`
    const others = Array.from({ length: 200 }, (_, i) => wireRow(i + 3, text, text, text))
    publish(0, one, [...others, wireRow(1, text)])
    gateways[1]!.take()
  }
  publish(0, one, [wireRow(1, `${long}9`)])
  publish(0, one, [], { scope: left })
  publish(0, other, [wireRow(2, '7')])
  assert.deepEqual(shown(), [`1 ${one} ${long}9/0`, `2 ${other} 7/0`])
  assert.equal(views.lapped, 1)
  assert.equal(gateways[1]!.lapped, 0)
})

test('a market of many providers is repeated in parts', () => {
  const { publish, shown, views } = quoteRig(1, 200)
  const text = '1'.repeat(64)
  const rows = Array.from({ length: 200 }, (_, i) => wireRow(i, text, text, text))
  const wallets = Array.from({ length: 80 }, (_, i) => walletOf(i + 1))
  for (let round = 0; round < 2; round++) {
    for (const wallet of wallets) publish(0, wallet, round === 0 ? rows : rows.slice(1))
  }
  assert.equal(shown().length, 80 * 199)
  assert.equal(views.lapped, 1)
})
