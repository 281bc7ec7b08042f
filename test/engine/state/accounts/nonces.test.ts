import assert from 'node:assert/strict'
import { test } from 'node:test'
import { StateReader, StateWriter } from '../../../../engine/memory/state-codec.js'
import { StateHash } from '../../../../engine/memory/state-hash.js'
import { NonceWindow } from '../../../../engine/state/accounts/nonces.js'

function windowOf(kept: number, hash = new StateHash()): NonceWindow {
  return new NonceWindow(kept, hash, 0)
}

test('a nonce is burned once and in any order, gaps allowed', () => {
  const window = windowOf(16)
  for (const nonce of [9, 1, 500, 2]) {
    assert.equal(window.isBurned(0, nonce), false)
    window.burn(0, nonce)
    assert.equal(window.isBurned(0, nonce), true)
  }
  assert.equal(window.isBurned(0, 3), false)
})

test('burning a nonce twice stops the engine, at any place in the window', () => {
  const window = windowOf(16)
  for (const nonce of [10, 20, 30]) window.burn(0, nonce)
  for (const nonce of [10, 20, 30]) {
    assert.throws(() => window.burn(0, nonce), /burned once/, `${nonce}`)
  }
})

test('both halves of a 64-bit nonce count', () => {
  const window = windowOf(16)
  window.burn(1, 5)
  assert.equal(window.isBurned(0, 5), false)
  assert.equal(window.isBurned(5, 1), false)
  window.burn(0xffffffff, 0xffffffff)
  assert.equal(window.isBurned(0xffffffff, 0xffffffff), true)
})

test("beyond the window's length the lowest nonce is dropped, and everything below the lowest stored one fails", () => {
  const window = windowOf(4)
  for (const nonce of [10, 20, 30, 40]) window.burn(0, nonce)
  assert.equal(window.isBurned(0, 5), false)
  window.burn(0, 50)
  assert.deepEqual([window.lowestHigh, window.lowestLow], [0, 20])
  assert.equal(window.isBurned(0, 10), true)
  assert.equal(window.isBurned(0, 5), true)
  assert.equal(window.isBurned(0, 25), false)
})

test('random nonces agree with a plain sorted set', () => {
  const seed = 5
  let state = seed
  const random = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state
  }
  const kept = 64
  const window = windowOf(kept)
  let plain: number[] = []
  let dropped = -1
  for (let step = 0; step < 20_000; step++) {
    const low = random() % 4096
    const high = random() % 3
    const value = high * 2 ** 32 + low
    const expected = value < (dropped >= 0 ? (plain[0] ?? 0) : -1) || plain.includes(value)
    assert.equal(window.isBurned(high, low), expected, `seed ${seed}, step ${step}`)
    if (expected) continue
    window.burn(high, low)
    plain = [...plain, value].sort((a, b) => a - b)
    if (plain.length > kept) dropped = plain.shift() ?? -1
  }
})

test('a window fills and turns over from either end, and from the middle', () => {
  const kept = 1000
  const orders = {
    rising: (i: number) => i,
    falling: (i: number) => 10_000 - i,
    // A stride without a factor in common with the count visits every nonce once.
    scattered: (i: number) => (i * 3701) % 10_000,
  }
  for (const [name, nonceAt] of Object.entries(orders)) {
    const window = windowOf(kept)
    const burned: number[] = []
    for (let i = 0; i < 10_000; i++) {
      const nonce = nonceAt(i)
      if (window.isBurned(0, nonce)) continue
      window.burn(0, nonce)
      burned.push(nonce)
    }
    const highest = burned.sort((a, b) => a - b).slice(-kept)
    const held: number[] = []
    window.forEach((_, low) => {
      held.push(low)
    })
    assert.deepEqual(held, highest, name)
    for (const nonce of highest) assert.equal(window.isBurned(0, nonce), true, name)
  }
})

test('a saved window has the same nonces, and records if some were dropped', () => {
  const [hash, again] = [new StateHash(), new StateHash()]
  const window = windowOf(4, hash)
  for (const nonce of [10, 20, 30, 40, 50]) window.burn(0, nonce)
  const writer = new StateWriter()
  window.save(writer)
  const loaded = windowOf(4, again)
  loaded.load(new StateReader(writer.result()))
  assert.deepEqual({ ...again }, { ...hash })
  assert.equal(loaded.count, 4)
  assert.equal(loaded.isBurned(0, 5), true)
  assert.equal(loaded.isBurned(0, 50), true)
  assert.equal(loaded.isBurned(0, 60), false)
})

test('the hash covers the stored nonces, their owner, and whether some were dropped', () => {
  const hash = new StateHash()
  const window = windowOf(2, hash)
  const seen = new Set<string>()
  const note = () => seen.add(`${hash.low} ${hash.high}`)
  for (const nonce of [10, 20]) window.burn(0, nonce)
  note()
  window.burn(0, 5)
  note()
  window.burnUpTo(0, 15)
  note()
  const agents = new StateHash()
  const other = new NonceWindow(2, agents, -1)
  for (const nonce of [10, 20]) other.burn(0, nonce)
  seen.add(`${agents.low} ${agents.high}`)
  assert.equal(seen.size, 4)
  window.resized(8).leave()
  assert.deepEqual({ ...hash }, { low: 0, high: 0 })
})
