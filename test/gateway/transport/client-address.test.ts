import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ClientAddresses, isNetwork } from '../../../gateway/transport/client-address.js'

const proxy = Uint8Array.of(10, 0, 0, 1)
const addresses = new ClientAddresses(['10.0.0.0/8', 'fd00::/8', '::ffff:192.0.2.0/120', '::1'])

test('addresses and networks of both families are distinguished from other text', () => {
  for (const text of ['10.0.0.1', '10.0.0.0/8', '0.0.0.0/0', '::1', 'fd00::/8', '::ffff:1.2.3.4']) {
    assert.equal(isNetwork(text), true, text)
  }
  for (const text of [
    '',
    '10.0.0',
    '10.0.0.0/33',
    '::/129',
    'localhost',
    '1.2.3.4/',
    '1.2.3.4/-1',
  ]) {
    assert.equal(isNetwork(text), false, text)
  }
})

test('the rightmost address that is not of a trusted proxy counts', () => {
  const clientOf = (forwarded: string) => [...addresses.clientOf(proxy, forwarded)].join('.')
  assert.equal(clientOf(''), '10.0.0.1')
  assert.equal(clientOf('203.0.113.1'), '203.0.113.1')
  assert.equal(clientOf('198.51.100.1, 203.0.113.1'), '203.0.113.1')
  assert.equal(clientOf('203.0.113.1, 10.1.1.1,10.2.2.2'), '203.0.113.1')
  assert.equal(clientOf('203.0.113.1, 192.0.2.77'), '203.0.113.1', 'a mapped network')
  assert.equal(clientOf('10.1.1.1, 10.2.2.2'), '10.1.1.1', 'all are proxies: the leftmost')
  assert.equal(clientOf('203.0.113.1, nonsense, 10.2.2.2'), '10.2.2.2')
  assert.equal(clientOf('203.0.113.1, '), '10.0.0.1')
  assert.equal(clientOf('::ffff:203.0.113.1'), '203.0.113.1')
  assert.equal(clientOf('[2001:db8::5]:443'), '32.1.13.184.0.0.0.0.0.0.0.0.0.0.0.5')
  assert.equal(clientOf('fe80::1%eth0'), '10.0.0.1')
  const long = Array.from({ length: 1000 }, () => '10.3.3.3').join(',')
  assert.equal(clientOf(`203.0.113.1,${long}`), '10.3.3.3', 'a way that no request takes')
})

test('only a trusted proxy is believed, in any address family', () => {
  const stranger = Uint8Array.of(203, 0, 113, 9)
  assert.deepEqual(addresses.clientOf(stranger, '1.2.3.4'), stranger)
  const none = new ClientAddresses([])
  assert.deepEqual(none.clientOf(proxy, '1.2.3.4'), proxy)
  const mapped = new Uint8Array(16)
  mapped.set([0xff, 0xff, 10, 0, 0, 1], 10)
  assert.deepEqual([...addresses.clientOf(mapped, '1.2.3.4')], [1, 2, 3, 4])
  const local = new Uint8Array(16)
  local[15] = 1
  assert.deepEqual([...addresses.clientOf(local, '1.2.3.4')], [1, 2, 3, 4])
})
