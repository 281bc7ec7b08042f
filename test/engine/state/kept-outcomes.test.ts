import assert from 'node:assert/strict'
import { test } from 'node:test'
import { StateReader, StateWriter } from '../../../engine/memory/state-codec.js'
import { FactsScratch } from '../../../engine/publish/publish-orders.js'
import { KeptOutcomes, Repeat } from '../../../engine/state/kept-outcomes.js'
import * as events from '../../../schemas/events.js'

test('an action is found by nonce and digest; another digest is told apart', () => {
  const kept = outcomes(1000, 1)
  assert.ok(kept.find(signedOf(0, 0, 0), 0) >= 0)
  assert.equal(kept.find(signedOf(0, 1, 0), 0), Repeat.OtherPayload)
  assert.equal(kept.find(signedOf(1, 1, 0), 0), Repeat.Unknown)
  assert.equal(kept.find(signedOf(0, 0, 1), 0), Repeat.Unknown)
})

test('the latest 1,000 are kept, older ones are forgotten', () => {
  const kept = outcomes(1000, 2500)
  assert.equal(kept.find(signedOf(1499, 1499, 0), 0), Repeat.Unknown)
  for (const nonce of [1500, 2000, 2499]) {
    const place = kept.find(signedOf(nonce, nonce), 0)
    assert.equal(kept.result(place), nonce)
    const facts = new FactsScratch()
    kept.copyFacts(place, facts)
    assert.deepEqual(facts.u8, factsOf(nonce).u8)
  }
})

test('what is saved is found again', () => {
  const kept = outcomes(1000, 1700)
  const writer = new StateWriter()
  kept.save(writer)
  const loaded = KeptOutcomes.load(new StateReader(writer.result()), 1000)
  for (let nonce = 700; nonce < 1700; nonce++) {
    const place = loaded.find(signedOf(nonce, nonce), 0)
    assert.equal(loaded.result(place), nonce)
    assert.deepEqual([loaded.seq(place), loaded.millis(place)], [nonce + 7, nonce * 10])
  }
  assert.equal(loaded.find(signedOf(699, 699), 0), Repeat.Unknown)
})

test('a window of another length keeps the latest, and the place of the next to go', () => {
  const kept = outcomes(10, 25)
  const shorter = kept.resized(4)
  assert.equal(shorter.count, 4)
  assert.equal(shorter.find(signedOf(20, 20), 0), Repeat.Unknown)
  assert.equal(shorter.result(shorter.oldestPlace), 21)
  assert.equal(shorter.result(shorter.newestPlace), 24)
  const longer = kept.resized(100)
  assert.equal(longer.count, 10)
  assert.equal(longer.oldestPlace, -1, 'nothing has to go yet')
  assert.ok(longer.find(signedOf(15, 15), 0) >= 0)
})

test('client ids and builders are kept from the first action on that has one', () => {
  const kept = new KeptOutcomes(100)
  const plain = factsOf(1)
  plain.i32.fill(0, events.factsClientIdBytesAt >> 2, events.factsWalletAt >> 2)
  plain.i32.fill(0, events.factsBuilderAt >> 2, events.factsCreatedMillisAt >> 2)
  const facts = new FactsScratch()
  for (let nonce = 0; nonce < 20; nonce++) remember(kept, nonce, nonce === 5 ? factsOf(5) : plain)
  for (const place of [0, 5, 6, 19]) {
    kept.copyFacts(place, facts)
    assert.deepEqual(facts.u8, (place === 5 ? factsOf(5) : plain).u8)
  }
})

function outcomes(kept: number, count: number): KeptOutcomes {
  const all = new KeptOutcomes(kept)
  for (let nonce = 0; nonce < count; nonce++) remember(all, nonce, factsOf(nonce))
  return all
}

function remember(kept: KeptOutcomes, nonce: number, facts: FactsScratch): void {
  const before = { seq: nonce + 6, timeMillis: nonce * 10 }
  kept.remember(signedOf(nonce, nonce), 0, 1, nonce, facts, before)
}

/** Facts with a value of their own in every field but the wallet, which is not kept. */
function factsOf(number: number): FactsScratch {
  const facts = new FactsScratch()
  for (let i = 0; i < events.factsInstrumentAt >> 3; i++) facts.f64[i] = number * 1e7 + i
  facts.f64[events.factsCreatedMillisAt >> 3] = number + 1.8e12
  facts.i32[events.factsInstrumentAt >> 2] = number - 1
  facts.i32[events.factsSideAt >> 2] = number & 1
  facts.i32[events.factsTifAt >> 2] = number % 3
  facts.i32[events.factsFlagsAt >> 2] = number & 7
  facts.i32[events.factsStatusAt >> 2] = number % 7
  facts.i32[events.factsClientIdBytesAt >> 2] = 1 + (number % 64)
  facts.u8.fill(number, events.factsClientIdAt, events.factsClientIdAt + 1 + (number % 64))
  facts.u8.fill(number + 1, events.factsBuilderAt, events.factsBuilderAt + 20)
  return facts
}

/** Nonce (high, low) and digest as a command has them. */
function signedOf(nonce: number, digest: number, nonceHigh = 0): Int32Array {
  const signed = new Int32Array(10)
  signed[0] = nonceHigh
  signed[1] = nonce
  signed[7] = digest + 1
  return signed
}
