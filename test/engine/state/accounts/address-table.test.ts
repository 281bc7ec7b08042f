import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AddressTable } from '../../../../engine/state/accounts/address-table.js'
import { walletOf } from '../../../support/rig-commands.js'

test('addresses get dense indexes in order of first use and keep them', () => {
  const table = new AddressTable()
  for (let i = 0; i < 20_000; i++) assert.equal(table.add(walletOf(i * 7), 0), i)
  for (let i = 0; i < 20_000; i++) assert.equal(table.find(walletOf(i * 7), 0), i)
  assert.equal(table.add(walletOf(70), 0), 10)
  assert.equal(table.find(walletOf(1), 0), -1)
  assert.equal(table.count, 20_000)
})

test('an address is found by its words and by its bytes', () => {
  const table = new AddressTable()
  for (let i = 0; i < 100; i++) table.add(walletOf(i), 0)
  const words = new Uint32Array(8)
  for (let i = 0; i < 101; i++) {
    new Uint8Array(words.buffer).set(walletOf(i), 12)
    assert.equal(table.findWords(words, 3), i === 100 ? -1 : i)
  }
})

test('every byte of an address counts', () => {
  const table = new AddressTable()
  table.add(new Uint8Array(20), 0)
  for (let i = 0; i < 20; i++) {
    const address = new Uint8Array(20)
    address[i] = 1
    assert.equal(table.find(address, 0), -1, `byte ${i}`)
  }
})

test('an address is read from, and written to, any place in a buffer', () => {
  const table = new AddressTable()
  const source = new Uint8Array(64)
  source.set(walletOf(77), 13)
  const index = table.add(source, 13)
  const target = new Uint8Array(64)
  table.write(index, target, 31)
  assert.deepEqual(target.slice(31, 51), walletOf(77))
  assert.equal(target[30], 0)
  assert.equal(target[51], 0)
})
