import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  addresses,
  byTables,
  choice,
  defaultsOf,
  either,
  engineValuesOf,
  integer,
  millionths,
  named,
  onOff,
  rowsOf,
  under,
  valueAt,
} from '../../schemas/parameter.js'

const feeTable = under('fees', {
  rate: millionths(0.001, [0, 1, 'share'], 'of the price'),
  capRate: named('cap', millionths(0.1, [0, 1, 'share'], 'most of it')),
})
const table = {
  ...under('margin', {
    isStrict: named('model', either('loose', ['loose', 'strict'], 'what it is')),
    rounding: choice('up', ['down', 'up'], 'of halves'),
  }),
  ...under('margin.perp', { enabled: onOff(true, 'whether there is any') }, 'perp'),
  tiers: [
    under('limits.small', { open: integer(10, [1, 100], 'orders') }),
    under('limits.large', { open: integer(90, [1, 100], 'orders') }),
  ],
  fees: feeTable,
  ...under('', { signers: addresses('who may sign') }),
} as const

test('a row has the place of its table, of its name, or of a given name', () => {
  assert.deepEqual(
    rowsOf(table).map(({ path }) => path),
    [
      'margin.model',
      'margin.rounding',
      'margin.perp.enabled',
      'limits.small.open',
      'limits.large.open',
      'fees.rate',
      'fees.cap',
      'signers',
    ],
  )
})

test('the engine has numbers for words, bits for two words, and the names in the code', () => {
  assert.deepEqual(defaultsOf(table), {
    isStrict: false,
    rounding: 1,
    perpEnabled: true,
    tiers: [{ open: 10 }, { open: 90 }],
    fees: { rate: 0.001, capRate: 0.1 },
    signers: [],
  })
})

test('values by path become those of the engine, addresses in lower case and each once', () => {
  const given = {
    margin: { model: 'strict', rounding: 'down', perp: { enabled: false } },
    limits: { small: { open: 1 }, large: { open: 2 } },
    fees: { rate: 0.5, cap: 0.25 },
    signers: ['0xAB', '0xab', '0x01'],
  }
  assert.deepEqual(
    engineValuesOf(table, ({ path }) => valueAt(given, path)),
    {
      isStrict: true,
      rounding: 0,
      perpEnabled: false,
      tiers: [{ open: 1 }, { open: 2 }],
      fees: { rate: 0.5, capRate: 0.25 },
      signers: ['0xab', '0x01'],
    },
  )
})

test('in tables, rows are where their paths lead', () => {
  const abouts = byTables(rowsOf(table), ({ about }) => about)
  assert.deepEqual(abouts, {
    margin: {
      model: 'what it is',
      rounding: 'of halves',
      perp: { enabled: 'whether there is any' },
    },
    limits: { small: { open: 'orders' }, large: { open: 'orders' } },
    fees: { rate: 'of the price', cap: 'most of it' },
    signers: 'who may sign',
  })
})
