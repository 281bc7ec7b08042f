import assert from 'node:assert/strict'
import { test } from 'node:test'
import { KeptOutcomes, Repeat } from '../../../engine/core/kept-outcomes.js'
import { StateReader, StateWriter } from '../../../engine/core/state-codec.js'
import { factsBytes } from '../../../schemas/events.js'

test('an action is found by nonce and digest; another digest is told apart', () => {
  const kept = outcomes(1000, 1)
  assert.ok(kept.find(0, 0, digestOf(0), 0) >= 0)
  assert.equal(kept.find(0, 0, digestOf(1), 0), Repeat.OtherPayload)
  assert.equal(kept.find(0, 1, digestOf(1), 0), Repeat.Unknown)
  assert.equal(kept.find(1, 0, digestOf(0), 0), Repeat.Unknown)
})

test('the latest 1,000 are kept, older ones are forgotten', () => {
  const kept = outcomes(1000, 2500)
  assert.equal(kept.find(0, 1499, digestOf(1499), 0), Repeat.Unknown)
  for (const nonce of [1500, 2000, 2499]) {
    const place = kept.find(0, nonce, digestOf(nonce), 0)
    assert.equal(kept.result(place), nonce)
    const facts = new Int32Array(factsBytes / 4)
    kept.copyFacts(place, facts)
    assert.equal(facts[3], nonce)
  }
})

test('what is saved is found again', () => {
  const kept = outcomes(1000, 1700)
  const writer = new StateWriter()
  kept.save(writer)
  const loaded = KeptOutcomes.load(new StateReader(writer.result()), 1000)
  for (let nonce = 700; nonce < 1700; nonce++) {
    const place = loaded.find(0, nonce, digestOf(nonce), 0)
    assert.equal(loaded.result(place), nonce)
    assert.deepEqual([loaded.seq(place), loaded.millis(place)], [nonce + 7, nonce * 10])
  }
  assert.equal(loaded.find(0, 699, digestOf(699), 0), Repeat.Unknown)
})

test('a window of another length keeps the latest, and the place of the next to go', () => {
  const kept = outcomes(10, 25)
  const shorter = kept.resized(4)
  assert.equal(shorter.count, 4)
  assert.equal(shorter.find(0, 20, digestOf(20), 0), Repeat.Unknown)
  assert.equal(shorter.result(shorter.oldestPlace), 21)
  assert.equal(shorter.result(shorter.newestPlace), 24)
  const longer = kept.resized(100)
  assert.equal(longer.count, 10)
  assert.equal(longer.oldestPlace, -1, 'nothing has to go yet')
  assert.ok(longer.find(0, 15, digestOf(15), 0) >= 0)
})

function outcomes(kept: number, count: number): KeptOutcomes {
  const all = new KeptOutcomes(kept)
  for (let nonce = 0; nonce < count; nonce++) {
    const facts = new Int32Array(factsBytes / 4).fill(nonce)
    all.remember(0, nonce, digestOf(nonce), 0, 1, nonce, facts, 0, nonce + 7, nonce * 10)
  }
  return all
}

function digestOf(number: number): Uint32Array {
  const digest = new Uint32Array(8)
  digest[5] = number + 1
  return digest
}
