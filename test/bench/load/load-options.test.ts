import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readLoadOptions } from '../../../bench/load/load-options.js'
import { commanderEnd } from '../../../gateway/command-line/verb-command.js'

/** Returns the error that ends the command line. */
function endOf(...argv: string[]): Error {
  try {
    readLoadOptions(argv, {})
  } catch (end) {
    return end as Error
  }
  throw new Error(`${argv.join(' ')} was taken`)
}

test('the defaults are a small load on a venue of this machine', () => {
  const options = readLoadOptions([], {})
  assert.equal(options.url, 'http://127.0.0.1:8080')
  assert.equal(options.transport, 'stream')
  assert.deepEqual(options.phases, [
    { ratePerSecond: 1000, seconds: 0.5 },
    { ratePerSecond: 1000, seconds: 10 },
  ])
  assert.deepEqual(options.mix, { place: 40, cancel: 40, replace: 10, take: 10 })
  assert.equal(options.isKnee, false)
  assert.equal(options.csvFile, null)
})

test('flags set their options, and the token may be in the environment', () => {
  const argv = '--url http://a:1 --transport http --rate 250.5 --duration 3 --seed 9 --mix 1,0,0,3'
  const more = '--operator-url= --open-orders 0 --knee --json --csv a.csv --hgrm out --wallets 3'
  const options = readLoadOptions([...argv.split(' '), ...more.split(' ')], {
    STRIKEBOOK_OPERATOR_TOKEN: 'secret',
  })
  assert.deepEqual(options.phases[1], { ratePerSecond: 250.5, seconds: 3 })
  assert.deepEqual(options.mix, { place: 1, cancel: 0, replace: 0, take: 3 })
  assert.equal(options.operatorUrl, null)
  assert.equal(options.operatorToken, 'secret')
  assert.equal(options.transport, 'http')
  assert.equal(options.seed, 9)
  assert.ok(options.isKnee && options.isJson)
  assert.equal(options.hgrmPath, 'out')
})

for (const [argv, message] of [
  ['--rate 0', /a number above 0/],
  ['--rate fast', /a number above 0/],
  ['--duration -1', /a number above 0/],
  ['--http-connections 1.5', /an integer from 1 to 4096/],
  ['--wallets 0', /an integer/],
  ['--mix 1,2,3', /four weights/],
  ['--mix 0,1,1,1', /the first above 0/],
  ['--transport carrier', /http or stream/],
  ['--gaps wide', /exponential or constant/],
  ['--frobnicate', /unknown option/],
  ['extra', /too many arguments/],
] as const) {
  test(`${argv} is a usage mistake`, () => {
    const end = endOf(...argv.split(' '))
    assert.equal(commanderEnd(end), 'wrong')
    assert.match(end.message, message)
  })
}

test('a threshold and the search for one exclude each other', () => {
  const end = endOf('--knee', '--max-p99', '5')
  assert.equal(end.name, 'UsageError')
  assert.match(end.message, /--knee-p99/)
})
