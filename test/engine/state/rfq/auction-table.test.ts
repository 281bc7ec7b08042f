import assert from 'node:assert/strict'
import { test } from 'node:test'
import { StateReader, StateWriter } from '../../../../engine/memory/state-codec.js'
import { StateHash } from '../../../../engine/memory/state-hash.js'
import type { OrderIndex } from '../../../../engine/state/orders/order-index.js'
import { Auction, type AuctionTerms } from '../../../../engine/state/rfq/auction-row.js'
import { AuctionTable } from '../../../../engine/state/rfq/auction-table.js'
import { RfqTable } from '../../../../engine/state/rfq/rfq-table.js'
import { RfqKind, RfqStatus, Side } from '../../../../schemas/domain.js'
import { Signer } from '../../../../schemas/record-values.js'

const slot = 8

const plain: AuctionTerms = {
  orderId: 3072,
  referenceMicros: 3_300_000_000,
  tickMicros: 100_000,
  mustImprove: true,
  gateway: 1,
  request: 17,
  batchNumber: 5,
  nonceHigh: 0,
  nonceLow: 9,
  signer: Signer.Owner,
  shown: [{ account: 2, priceMicros: 3_296_000_000, sizeLots: 5 }],
}

const orders = { find: () => slot } as unknown as OrderIndex

/** A table with one auction, and its requests. */
function tableWith(terms: Partial<AuctionTerms> = {}) {
  const hash = new StateHash()
  const rfqs = new RfqTable(hash)
  const auctions = new AuctionTable(hash, rfqs)
  const row = rfqs.add({
    ...{ id: new Uint8Array(16).fill(7), account: 0, signer: new Uint8Array(20) },
    ...{ kind: RfqKind.Auction, limitMicros: 1, createdMillis: 1 },
    ...{ legs: [{ instrument: 0, side: Side.Buy, sizeLots: 5 }] },
    ...{ responseMillis: 251, expiresMillis: 60_251 },
  })
  const auction = new Auction({ ...plain, ...terms }, slot, row)
  auctions.add(auction)
  return { hash, rfqs, auctions, auction }
}

function lanesOf(hash: StateHash): readonly number[] {
  hash.refresh()
  return [hash.low, hash.high]
}

test('every fact of an auction counts in the hash', () => {
  const [low] = lanesOf(tableWith().hash)
  for (const change of [
    ...[{ orderId: 4096 }, { referenceMicros: 1 }, { tickMicros: 1 }, { mustImprove: false }],
    ...[{ gateway: 2 }, { request: 18 }, { batchNumber: 6 }, { nonceHigh: 1 }, { nonceLow: 1 }],
    ...[{ signer: Signer.Agent }, { shown: [] }],
    ...[{ account: 3 }, { priceMicros: 1 }, { sizeLots: 1 }].map((one) => ({
      shown: [{ ...plain.shown[0]!, ...one }],
    })),
  ]) {
    assert.notEqual(lanesOf(tableWith(change).hash)[0], low, JSON.stringify(change))
  }
})

test('saved auctions load with bars, late entries and numbers', () => {
  const { hash, rfqs, auctions } = tableWith()
  auctions.nextNumber()
  auctions.bar(2, 0, 1000)
  auctions.enterLate(1024, 7)
  const writer = new StateWriter()
  rfqs.save(writer)
  auctions.save(writer)
  const again = new StateHash()
  const loadedRfqs = new RfqTable(again)
  const loaded = new AuctionTable(again, loadedRfqs)
  const reader = new StateReader(writer.result())
  loadedRfqs.load(reader)
  loaded.load(reader, orders)
  assert.deepEqual(lanesOf(again), lanesOf(hash))
  assert.deepEqual(loaded.find(slot)!.terms, plain)
  assert.equal(loaded.nextNumber(), 2)
  assert.ok(loaded.isBarred(2, 0, 11_000))
  loaded.forgetEntry(1024)
  assert.notDeepEqual(lanesOf(again), lanesOf(hash))
})

test('an ended auction leaves only its id', () => {
  const empty = new StateHash()
  const { hash, rfqs, auctions, auction } = tableWith()
  assert.ok(auctions.has(slot) && rfqs.isUsed(auction.row.key))
  auctions.end(auction, RfqStatus.Expired)
  assert.ok(!auctions.has(slot) && auctions.find(slot) === null)
  assert.equal(rfqs.endOf(auction.row.key), RfqStatus.Expired)
  assert.equal(rfqs.ids.find(auction.row.key), null, "it was nobody's request")
  rfqs.auctionIds.add('', auction.row.terms.id, 0, RfqStatus.Expired)
  const known = new RfqTable(empty)
  known.auctionIds.add(auction.row.key, auction.row.terms.id, 0, RfqStatus.Expired)
  known.auctionIds.add('', auction.row.terms.id, 0, RfqStatus.Expired)
  assert.deepEqual(lanesOf(hash), lanesOf(empty))
})

test('a row is barred to the end of its last millisecond, and each bar replaces the previous one', () => {
  const { auctions } = tableWith()
  assert.ok(!auctions.isBarred(2, 0, 0))
  auctions.bar(2, 0, 1000)
  auctions.bar(3, 1, 1000)
  assert.ok(auctions.isBarred(2, 0, 11_000) && !auctions.isBarred(2, 0, 11_001))
  assert.ok(!auctions.isBarred(2, 1, 1000) && !auctions.isBarred(3, 0, 1000))
  auctions.bar(2, 0, 5000)
  assert.ok(auctions.isBarred(2, 0, 15_000))
  auctions.bar(2, 1, 6000)
  assert.ok(auctions.isBarred(2, 0, 15_000) && auctions.isBarred(3, 1, 11_000))
})

test('a late entry counts in the hash until its order is final', () => {
  const { hash, auctions } = tableWith()
  auctions.enterLate(1024, 7)
  const [low] = lanesOf(hash)
  auctions.forgetEntry(2048)
  assert.equal(lanesOf(hash)[0], low)
  auctions.enterLate(2048, 7)
  auctions.forgetEntry(2048)
  auctions.forgetEntry(1024)
  assert.notEqual(lanesOf(hash)[0], low)
})

test('the order in which two orders enter counts in the hash', () => {
  const [one, other] = [tableWith(), tableWith()]
  for (const orderId of [1024, 2048]) one.auctions.enterLate(orderId, 7)
  for (const orderId of [2048, 1024]) other.auctions.enterLate(orderId, 7)
  assert.notDeepEqual(lanesOf(one.hash), lanesOf(other.hash))
})

test('ending an auction twice, or entering its order twice, stops the engine', () => {
  const { auctions, auction } = tableWith()
  auctions.end(auction, RfqStatus.Expired)
  assert.throws(() => auctions.end(auction, RfqStatus.Expired), /it is running/)
  auctions.enterLate(plain.orderId, 7)
  assert.throws(() => auctions.enterLate(plain.orderId, 8), /enters its book once/)
})
