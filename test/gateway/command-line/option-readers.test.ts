import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { InvalidArgumentError } from 'commander'
import { millisOf, shareOf } from '../../../gateway/command-line/option-readers.js'

const zone = process.env['TZ']
process.env['TZ'] = 'America/New_York'
after(() => {
  if (zone === undefined) delete process.env['TZ']
  else process.env['TZ'] = zone
})

test('a time without an offset is UTC in every time zone of the machine', () => {
  assert.notEqual(new Date(0).getTimezoneOffset(), 0)
  const noon = Date.UTC(2026, 10, 28, 12, 7)
  for (const text of [
    '2026-11-28T12:07',
    '2026-11-28T12:07:00',
    '2026-11-28T12:07:00.000Z',
    '2026-11-28T12:07Z',
    '2026-11-28T13:07+01:00',
    '2026-11-28T07:07:00-05:00',
    String(noon),
  ]) {
    assert.equal(millisOf(text), noon, text)
  }
  assert.equal(millisOf('2028-02-29'), Date.UTC(2028, 1, 29))
})

test('a date that the calendar lacks, and every other form, is an error that names the forms', () => {
  for (const text of [
    ...['2026-02-30', '2026-02-29', '2026-13-01', '2026-00-10', '2026-11-31T12:00Z'],
    ...['1', '20261128', '202611281207', '20261128120700', '1795867620', '-1', '', ' ', 'noon'],
    ...['2026-11-28 12:07', '2026-11-28T24:00', '2026-11-28T12:60', '2026-11-28T12', '2026-11-28Z'],
    ...['Nov 28 2026', '11/28/2026', '2026-11-28T12:07+25:00', '2026-11-28T12:07 ', '2026-W48'],
  ]) {
    assert.throws(() => millisOf(text), InvalidArgumentError, text)
    assert.throws(() => millisOf(text), /2026-11-23T08:00/, text)
  }
})

test('a share is a percentage or a decimal, and below one', () => {
  assert.deepEqual(['15%', '0.15', '0', '50%'].map(shareOf), [0.15, 0.15, 0, 0.5])
  for (const text of [
    '15',
    '1',
    '100%',
    '1500%',
    '-0.1',
    '',
    '%',
    '1e-1',
    '0x0',
    'NaN',
    '.5',
    ' 0.1',
  ]) {
    assert.throws(() => shareOf(text), /less than 1 \(100%\), as 15% or 0\.15/, text)
  }
})
