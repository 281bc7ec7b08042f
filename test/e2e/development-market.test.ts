import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { rfqBody } from './support/rfq-body.js'
import { WalletKey } from './support/signed-body.js'
import { eventually, Venue, type Wire } from './support/venue.js'

// What `npm start` runs, with its feed and its market maker, as a newcomer finds it.

const venue = new Venue({ arguments: ['--feed=simulated', '--maker=on'] })
const scripts = join(import.meta.dirname, '../../scripts')
const started: ChildProcess[] = []

before(() => venue.start())
after(async () => {
  for (const child of started) child.kill()
  await venue.dispose()
})

/** Runs an example; what it says so far, and its exit code. */
function example(name: string) {
  const file = join(scripts, `example-${name}.js`)
  const tokenFile = join(venue.dataDir, 'operator.token')
  const child = spawn(process.execPath, [file, venue.url, venue.operatorUrl, tokenFile])
  started.push(child)
  const run = { said: '', ended: once(child, 'close').then(([code]) => code as number) }
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      run.said += text
    })
  }
  return run
}

test('behind the ready line a package of two legs is executed at once', async () => {
  const taker = new WalletKey()
  await venue.set('/deposits', { wallet: taker.wallet, amount: '1000000' })
  const { result } = await venue.read('/options-summary?currency=ETH')
  const [lower, upper] = result
    .map(({ instrument_name: symbol }: Wire) => symbol)
    .filter((symbol: string) => symbol.endsWith('-C'))
  const legs = [
    { instrument: lower, side: 'Buy', size: '1' },
    { instrument: upper, side: 'Sell', size: '1' },
  ]
  const body = await rfqBody(taker, legs, '5000')
  const { body: answer } = await venue.send('POST', '/rfq/request', body)
  assert.notEqual(answer.status, 'no_quotes', JSON.stringify(answer))
  await eventually('its execution', async () => {
    return (await venue.read(`/rfq/${body['rfq_id']}`)).status === 'executed'
  })
})

test('the examples trade with the market, and with each other', async () => {
  const provider = example('provider')
  await eventually('the provider', () => provider.said.includes('connected'))
  const taker = example('taker')
  assert.equal(await taker.ended, 0, taker.said)
  assert.match(taker.said, /accepted: executed at -/)
  assert.match(taker.said, /within a limit of [\d.]+ USD: executed/)
  assert.match(taker.said, /holds 0\.2 BTC-/)
  assert.match(provider.said, /quoted -[\d.]+ USD for /)
})
