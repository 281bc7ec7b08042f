import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  AddressRefused,
  isPublicAddress,
  resolver,
  vettedAddress,
} from '../../../gateway/push/address-guard.js'

const closed = [
  ...['127.0.0.1', '127.8.9.1', '0.0.0.0', '10.1.2.3', '172.16.0.1', '172.31.255.255'],
  ...['192.168.1.1', '169.254.169.254', '100.64.0.1', '100.100.100.200', '192.0.0.192'],
  ...['168.63.129.16', '198.18.0.1', '224.0.0.1', '239.255.255.250', '255.255.255.255'],
  ...['::', '::1', 'fe80::1', 'fc00::1', 'fd00:ec2::254', 'ff02::1', '::ffff:127.0.0.1'],
  ...['::ffff:8.8.8.8', '::127.0.0.1', '64:ff9b::7f00:1', '64:ff9b:1::a00:1', '100::1'],
  ...['2002:7f00:1::', '2001::1', '2001:db8::1', 'fec0::1', '3fff::1', '4000::1'],
]
const open = ['8.8.8.8', '1.1.1.1', '172.32.0.1', '100.128.0.1', '2a00:1450:4001::5f', '2606::1']

test('loopback, private networks, link-local and multicast addresses, and IPv4 in any form are blocked', () => {
  for (const address of closed) assert.equal(isPublicAddress(address), false, address)
  for (const address of ['', 'localhost', '1.2.3', '1.2.3.4/8']) {
    assert.equal(isPublicAddress(address), false, address)
  }
})

test('addresses of the public internet are allowed', () => {
  for (const address of open) assert.equal(isPublicAddress(address), true, address)
})

test('a name that resolves to one private address among others is blocked whole', async () => {
  const vet = (addresses: readonly string[], allowPrivate = false) =>
    vettedAddress('push.example', allowPrivate, async () => addresses)
  assert.deepEqual(await vet(['8.8.8.8', '1.1.1.1']), { address: '8.8.8.8', isPublic: true })
  for (const address of closed) {
    await assert.rejects(vet([address]), AddressRefused, address)
    await assert.rejects(vet(['8.8.8.8', address]), AddressRefused, address)
  }
  assert.deepEqual(await vet(['10.0.0.1'], true), { address: '10.0.0.1', isPublic: false })
  await assert.rejects(vet([]), /no address/)
})

test('an address needs no resolver, and is checked nevertheless', async () => {
  const nobody = async () => assert.fail('nobody is asked')
  assert.equal((await vettedAddress('8.8.8.8', false, nobody)).address, '8.8.8.8')
  await assert.rejects(vettedAddress('127.0.0.1', false, nobody), AddressRefused)
  await assert.rejects(vettedAddress('::ffff:7f00:1', false, nobody), AddressRefused)
})

test('localhost means the same everywhere', async () => {
  assert.deepEqual(await resolver()('localhost'), ['127.0.0.1'])
})
