import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  AddressLimits,
  addressKeyOf,
  allocateConnectionCounts,
} from '../../../gateway/limits/address-limits.js'
import { allocateRateWindows, RateVerdict } from '../../../gateway/limits/rate-windows.js'

const out = new RateVerdict()
const nowMillis = 60_000 * 1000
const client = addressKeyOf(Uint8Array.of(203, 0, 113, 7))
const loopback = addressKeyOf(Uint8Array.of(127, 0, 0, 1))

test('failed recoveries use up the limit; then nothing is recovered until the minute ends', () => {
  const limits = limitsOf(3)
  for (let i = 0; i < 3; i++) {
    assert.equal(limits.mayRecover(client, nowMillis, out), true)
    limits.countFailure(client, nowMillis, out)
  }
  assert.equal(limits.mayRecover(client, nowMillis, out), false)
  assert.equal(limits.mayRecover(addressKeyOf(Uint8Array.of(1, 2, 3, 4)), nowMillis, out), true)
  assert.equal(limits.mayRecover(client, nowMillis + 60_000, out), true)
})

test('connections are counted over all threads and released', () => {
  const counts = allocateConnectionCounts()
  const [one, two] = [limitsOf(3, counts), limitsOf(3, counts)]
  assert.equal(one.connect(client), true)
  assert.equal(two.connect(client), true)
  assert.equal(one.connect(client), false)
  two.disconnect(client)
  assert.equal(one.connect(client), true)
})

test('clients of this machine are exempt if configured so', () => {
  const limits = limitsOf(0)
  assert.equal(limits.mayRecover(loopback, nowMillis, out), true)
  assert.equal(limits.connect(loopback), true)
  assert.equal(limits.mayRecover(client, nowMillis, out), false)
})

test('an IPv4 address counts as itself inside IPv6, and ::1 is loopback', () => {
  const mapped = new Uint8Array(16)
  mapped.set([0xff, 0xff, 203, 0, 113, 7], 10)
  assert.deepEqual(addressKeyOf(mapped), client)
  const local = new Uint8Array(16)
  local[15] = 1
  assert.equal(addressKeyOf(local).isLoopback, true)
  local[0] = 1
  assert.equal(addressKeyOf(local).isLoopback, false)
})

test('the prefix of an IPv6 address identifies a client, without the part that a client chooses', () => {
  const keyOf = (...bytes: number[]) => {
    const address = new Uint8Array(16)
    address.set([0x20, 0x01, 0x0d, 0xb8])
    address.set(bytes, 7)
    return addressKeyOf(address)
  }
  assert.deepEqual(keyOf(1, 5), keyOf(1, 6))
  assert.notDeepEqual(keyOf(1, 5), keyOf(2, 5))
})

test('the state of a limit has the configured limit', () => {
  const limits = limitsOf(1)
  limits.countFailure(client, nowMillis + 45_000, out)
  assert.equal(limits.mayRecover(client, nowMillis + 45_000, out), false)
  assert.deepEqual([out.limit, out.remaining, out.retryAfterSeconds], [1, 0, 15])
})

function limitsOf(failures: number, counts = allocateConnectionCounts()): AddressLimits {
  return new AddressLimits(allocateRateWindows(64), counts, {
    failedRecoveriesPerMinute: failures,
    connectionsPerAddressMax: 2,
    resumedMessagesPerMinute: 8192,
    addressLimitsOnLoopback: false,
  })
}
