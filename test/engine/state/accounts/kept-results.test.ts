import assert from 'node:assert/strict'
import { test } from 'node:test'
import { StateReader, StateWriter } from '../../../../engine/memory/state-codec.js'
import { StateHash } from '../../../../engine/memory/state-hash.js'
import { KeptResults, ownFacts, Repeat } from '../../../../engine/state/accounts/kept-results.js'
import type { OrderStatus, Side, Tif } from '../../../../schemas/domain.js'
import { AnyCommand, CommandType } from '../../../../schemas/generated/commands.js'
import type { OrderFacts } from '../../../../schemas/generated/events.js'
import { viewsOf } from '../../../../schemas/record-views.js'
import type { Result } from '../../../../schemas/results.js'

test('an action is found by nonce and digest, and another digest is detected', () => {
  const kept = outcomes(1000, 1)
  assert.ok(kept.find(signedOf(0, 0, 0)) >= 0)
  assert.equal(kept.find(signedOf(0, 1, 0)), Repeat.OtherPayload)
  assert.equal(kept.find(signedOf(1, 1, 0)), Repeat.Unknown)
  assert.equal(kept.find(signedOf(0, 0, 1)), Repeat.Unknown)
})

test('the latest 1,000 are stored, and older ones are dropped', () => {
  const kept = outcomes(1000, 2500)
  assert.equal(kept.find(signedOf(1499, 1499, 0)), Repeat.Unknown)
  for (const nonce of [1500, 2000, 2499]) {
    const place = kept.find(signedOf(nonce, nonce))
    assert.equal(kept.result(place), nonce)
    const facts = ownFacts()
    kept.copyFacts(place, facts)
    assert.deepEqual(facts.u8, factsOf(nonce).u8)
  }
})

test('saved results are found again', () => {
  const [hash, again] = [new StateHash(), new StateHash()]
  const kept = outcomes(1000, 1700, hash)
  const writer = new StateWriter()
  kept.save(writer)
  const loaded = new KeptResults(1000, again, 0)
  loaded.load(new StateReader(writer.result()))
  assert.deepEqual({ ...again }, { ...hash })
  for (let nonce = 700; nonce < 1700; nonce++) {
    const place = loaded.find(signedOf(nonce, nonce))
    assert.equal(loaded.result(place), nonce)
    assert.deepEqual([loaded.seq(place), loaded.millis(place)], [nonce + 7, nonce * 10])
  }
  assert.equal(loaded.find(signedOf(699, 699)), Repeat.Unknown)
})

test('the later result of an order replaces the stored one, unless that was dropped', () => {
  const [hash, plain] = [new StateHash(), new StateHash()]
  const kept = outcomes(10, 12, hash)
  const facts = factsOf(7)
  facts.status = 4
  const action = { nonceHigh: 0, nonceLow: 7, orderId: facts.orderId }
  kept.amend(action, 0 as Result, facts, { seq: 99, timeMillis: 1000 })
  const place = kept.find(signedOf(7, 7))
  const found = ownFacts()
  kept.copyFacts(place, found)
  assert.deepEqual([kept.result(place), kept.seq(place), found.status], [0, 99, 4])
  assert.equal(kept.count, 10)
  const before = { ...hash }
  kept.amend({ ...action, orderId: 1 }, 0 as Result, facts, { seq: 100, timeMillis: 0 })
  kept.amend({ ...action, nonceLow: 1 }, 0 as Result, facts, { seq: 100, timeMillis: 0 })
  assert.deepEqual({ ...hash }, before)
  const writer = new StateWriter()
  kept.save(writer)
  new KeptResults(10, plain, 0).load(new StateReader(writer.result()))
  assert.deepEqual({ ...plain }, { ...hash })
})

test('a window of another length keeps the latest results, and the next one to drop', () => {
  const shorter = outcomes(10, 25).resized(4)
  assert.equal(shorter.count, 4)
  const knownOf = (kept: KeptResults, nonces: readonly number[]) =>
    nonces.filter((nonce) => kept.find(signedOf(nonce, nonce)) >= 0)
  assert.deepEqual(knownOf(shorter, [19, 20, 21, 22, 23, 24]), [21, 22, 23, 24])
  remember(shorter, 25, factsOf(25))
  assert.deepEqual(knownOf(shorter, [20, 21, 22, 23, 24, 25]), [22, 23, 24, 25])
  const longer = outcomes(10, 25).resized(100)
  assert.equal(longer.count, 10)
  remember(longer, 25, factsOf(25))
  assert.deepEqual(knownOf(longer, [14, 15, 24, 25]), [15, 24, 25], 'nothing has to go yet')
})

test('the hash covers the stored results, and none of the dropped ones', () => {
  const [hash, short] = [new StateHash(), new StateHash()]
  const kept = outcomes(4, 25, hash).resized(3)
  const latest = new KeptResults(3, short, 0)
  for (const nonce of [22, 23, 24]) remember(latest, nonce, factsOf(nonce))
  assert.deepEqual({ ...hash }, { ...short })
  kept.leave()
  assert.deepEqual({ ...hash }, { low: 0, high: 0 })
})

test('every fact of an action counts in the hash, and so do digest, time and wallet', () => {
  const hashOf = (
    change: (facts: OrderFacts) => unknown,
    digest = 3,
    timeMillis = 30,
    wallet = 0,
  ) => {
    const hash = new StateHash()
    const facts = factsOf(3)
    change(facts)
    const answer = { seq: 10, timeMillis }
    new KeptResults(4, hash, wallet).remember(signedOf(3, digest), 3 as Result, facts, answer)
    return `${hash.low} ${hash.high}`
  }
  const same = () => undefined
  const other = fieldsOf(4)
  const changes = Object.entries(other).map((field) =>
    hashOf((facts) => Object.assign(facts, Object.fromEntries([field]))),
  )
  const builder = hashOf((facts) => facts.u8.fill(9, facts.builderAt, facts.builderAt + 20))
  const others = [hashOf(same, 4), hashOf(same, 3, 31), hashOf(same, 3, 30, 1)]
  const all = [hashOf(same), ...changes, builder, ...others]
  assert.equal(new Set(all).size, all.length)
})

test('client ids and builders are stored from the first action that has one', () => {
  const kept = new KeptResults(100, new StateHash(), 0)
  const plain = factsOf(1)
  plain.clientIdText = ''
  plain.u8.fill(0, plain.builderAt, plain.builderAt + 20)
  const facts = ownFacts()
  for (let nonce = 0; nonce < 20; nonce++) remember(kept, nonce, nonce === 5 ? factsOf(5) : plain)
  for (const place of [0, 5, 6, 19]) {
    kept.copyFacts(place, facts)
    assert.deepEqual(facts.u8, (place === 5 ? factsOf(5) : plain).u8)
  }
})

function outcomes(kept: number, count: number, hash = new StateHash()): KeptResults {
  const all = new KeptResults(kept, hash, 0)
  for (let nonce = 0; nonce < count; nonce++) remember(all, nonce, factsOf(nonce))
  return all
}

function remember(kept: KeptResults, nonce: number, facts: OrderFacts): void {
  const answer = { seq: nonce + 7, timeMillis: nonce * 10 }
  kept.remember(signedOf(nonce, nonce), nonce as Result, facts, answer)
}

/** Facts with a value of their own in every field but the wallet, which is not kept. */
function factsOf(number: number): OrderFacts {
  const facts = ownFacts()
  facts.u8.fill(number + 1, facts.builderAt, facts.builderAt + 20)
  return Object.assign(facts, fieldsOf(number))
}

function fieldsOf(number: number) {
  return {
    orderId: number * 1e7,
    priceMicros: number * 1e7 + 1,
    sizeLots: number * 1e7 + 2,
    filledLots: number * 1e7 + 3,
    filledMicros: number * 1e7 + 4,
    createdMillis: number + 1.8e12,
    instrument: number - 1,
    side: (number & 1) as Side,
    tif: (number % 3) as Tif,
    flags: number & 7,
    status: (number % 7) as OrderStatus,
    clientIdText: String.fromCharCode(1 + (number % 127)).repeat(1 + (number % 64)),
  }
}

/** A signed command with this nonce and digest. */
function signedOf(nonce: number, digest: number, nonceHigh = 0): AnyCommand {
  const command = new AnyCommand().over(viewsOf(new ArrayBuffer(AnyCommand.bytes)), 0)
  command.i32[(command.digestAt >> 2) + 5] = digest + 1
  return Object.assign(command, { recordType: CommandType.PlaceOrder, nonceHigh, nonceLow: nonce })
}
