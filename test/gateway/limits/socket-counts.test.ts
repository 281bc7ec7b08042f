import assert from 'node:assert/strict'
import { test } from 'node:test'
import { peersOf, SocketCensus } from '../../../gateway/limits/socket-census.js'
import { allocateSocketCounts, SocketCounts } from '../../../gateway/limits/socket-counts.js'

const one = Uint8Array.of(203, 0, 113, 1)
const other = Uint8Array.of(203, 0, 113, 2)
const proxy = Uint8Array.of(10, 0, 0, 1)
const perAddressMax = 4
/** Maximum number of connections that are accepted only to receive the error. */
const extraConnectionsMax = 16

function countsOf(memory = allocateSocketCounts()): SocketCounts {
  return new SocketCounts(memory, {
    perAddressMax,
    unfinishedBytesMax: 8000,
    unreadBytesMax: 800,
    holdsOnLoopback: true,
    isProxy: (peer) => peer[0] === 10,
  })
}

/** Opens `count` connections. @returns the number of accepted ones; the others are released. */
function take(counts: SocketCounts, peer: Uint8Array, count: number): number {
  let taken = 0
  for (let index = 0; index < count; index++) {
    if (counts.begin(peer)) taken++
    else counts.ended(peer)
  }
  return taken
}

test('connections have a total limit and one per address, and those of a proxy only the total one', () => {
  const memory = allocateSocketCounts()
  const [counts, thread] = [countsOf(memory), countsOf(memory)]
  counts.trackAddresses()
  assert.equal(take(counts, one, 50), perAddressMax + extraConnectionsMax)
  assert.equal(take(thread, one, 1), 0, 'over all threads')
  assert.equal(take(thread, proxy, 50), 50)
  counts.setMax(counts.total + 3)
  assert.equal(take(thread, other, 10), 3)
  counts.ended(one)
  counts.ended(other)
  assert.equal(take(thread, other, 10), 2)
  assert.equal(take(thread, one, 10), 0)
})

test('if closed connections cannot be attributed, an address is not limited', () => {
  assert.equal(take(countsOf(), one, 100), 100)
})

test('a census finds the closed connections, and newer ones stay counted', async () => {
  const counts = countsOf()
  counts.trackAddresses()
  assert.equal(take(counts, one, 100), perAddressMax + extraConnectionsMax)
  assert.equal(counts.needsCensus(), null, 'none has ended')
  for (let index = 0; index < 12; index++) counts.ended(null)
  assert.equal(counts.needsCensus(), 'now')
  const rows = Array.from({ length: perAddressMax + extraConnectionsMax - 12 }, (_, row) =>
    lineOf(one, row),
  )
  const tables = async () => {
    assert.equal(counts.begin(other), true)
    return [rows.join('\n'), '']
  }
  await new SocketCensus({ counts, port: 8080, tables }).look()
  assert.equal(counts.needsCensus(), null)
  assert.equal(take(counts, one, 100), 12)
  assert.equal(take(counts, other, 100), perAddressMax + extraConnectionsMax - 1)
})

test('a connection that closes during its request is known at once', () => {
  const counts = countsOf()
  counts.trackAddresses()
  take(counts, one, 100)
  counts.ended(null)
  counts.attribute(one)
  assert.equal(counts.needsCensus(), null)
  assert.equal(take(counts, one, 10), 1)
})

test('pending bodies have a total limit, and one eighth of it per address', () => {
  const counts = countsOf()
  assert.equal(counts.takeBytes(one, 1000), true)
  assert.equal(counts.takeBytes(one, 1), false)
  for (let last = 10; last < 17; last++) {
    assert.equal(counts.takeBytes(Uint8Array.of(198, 51, 100, last), 1000), true)
  }
  assert.equal(counts.takeBytes(other, 1), false, 'all is taken')
  counts.giveBytes(one, 1000)
  assert.equal(counts.takeBytes(other, 1000), true)
})

test('unfinished frames leave half of the room to bodies, in total and per address', () => {
  const counts = countsOf()
  assert.equal(counts.takeFrame(one, 501), false)
  assert.equal(counts.takeFrame(one, 500), true)
  assert.equal(counts.takeBytes(one, 500), true)
  for (let last = 10; last < 16; last++) {
    assert.equal(counts.takeFrame(Uint8Array.of(198, 51, 100, last), 500), true)
  }
  assert.equal(counts.takeFrame(other, 1), false, 'half is taken')
  assert.equal(counts.takeBytes(other, 1000), true)
  counts.giveBytes(other, 1000)
  counts.giveBytes(one, 1000)
  assert.equal(counts.takeFrame(other, 500), true)
})

test('unread answers have their own limit', () => {
  const counts = countsOf()
  assert.equal(counts.takeBytes(one, 1000), true)
  assert.equal(counts.takeUnread(one, 101), false)
  assert.equal(counts.takeUnread(one, 100), true)
  for (let last = 10; last < 17; last++) {
    assert.equal(counts.takeUnread(Uint8Array.of(198, 51, 100, last), 100), true)
  }
  assert.equal(counts.takeUnread(other, 1), false, 'all is taken')
  counts.giveUnread(one, 100)
  assert.equal(counts.takeUnread(other, 100), true)
})

/** A row of /proc/net/tcp. */
function lineOf(peer: Uint8Array, row: number, port = 8080, state = '01', inode = '77'): string {
  const hex = Buffer.from(peer).reverse().toString('hex').toUpperCase()
  const local = `0100007F:${port.toString(16).toUpperCase().padStart(4, '0')}`
  return `${row}: ${local} ${hex}:${(40_000 + row).toString(16)} ${state} 0:0 0:0 0 0 0 ${inode} 1 0 20`
}

test('rows of the kernel’s table count if they hold a descriptor of the port', {
  skip: isBigEndian(),
}, () => {
  const table = [
    '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode',
    lineOf(one, 0),
    lineOf(other, 1, 8081),
    lineOf(other, 2, 8080, '0A'),
    lineOf(other, 3, 8080, '06', '0'),
    '4: 0000000000000000FFFF00000100007F:1F90 0000000000000000FFFF0000017100CB:9C40 01 0:0 0:0 0 0 0 9',
    '',
  ].join('\n')
  const mapped = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 203, 0, 113, 1]
  assert.deepEqual(
    peersOf(table, 8080).map((peer) => [...peer]),
    [[...one], mapped],
  )
})

function isBigEndian(): boolean {
  return new Uint8Array(Uint32Array.of(1).buffer)[0] === 0
}
