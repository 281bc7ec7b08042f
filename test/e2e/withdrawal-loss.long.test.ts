import assert from 'node:assert/strict'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { WalletKey, withdrawBody } from './support/signed-body.js'
import { assertError, eventually, Venue } from './support/venue.js'

const destination = `0x${'d'.repeat(40)}`
const venue = new Venue()
before(() => venue.start())
after(() => venue.dispose())

async function funded(): Promise<WalletKey> {
  const key = new WalletKey()
  await venue.set('/deposits', { wallet: key.wallet, amount: '1000' })
  return key
}

test('the start refuses a loss that lacks a delivered withdrawal; an accepted one raises an alarm, and the wallet can withdraw nothing more', async () => {
  const [key, other] = [await funded(), await funded()]
  await venue.end('SIGTERM')
  const journal = join(venue.dataDir, 'journal')
  const segments = () => readdirSync(journal).filter((name) => name.endsWith('.journal'))
  const segment = segments().at(-1)!
  const bytes = readFileSync(join(journal, segment))
  await venue.start()
  const answer = await venue.send(
    'POST',
    '/withdraw/usdc',
    await withdrawBody(key, destination, '400'),
  )
  const { directive_id } = answer.body
  await eventually('it is delivered', async () => {
    const row = await venue.read(`/v1/directives/${directive_id}`)
    return row.delivery_status === 'finalized'
  })
  await venue.end('SIGKILL')
  for (const name of segments()) if (name > segment) rmSync(join(journal, name))
  writeFileSync(join(journal, segment), bytes)
  // Not even the history store has it.
  for (const name of readdirSync(venue.dataDir)) {
    if (name.startsWith('history.db')) rmSync(join(venue.dataDir, name))
  }
  await assert.rejects(venue.start(), /the settlement rail's record has seen sequence \d+/)
  const accepting = new Venue({ dataDir: venue.dataDir, arguments: ['--accept-loss'] })
  await accepting.start()
  try {
    const alarm = new RegExp(`alarm: withdrawal: .*400 USD of ${key.wallet} to ${destination}`)
    assert.match(accepting.log(), alarm)
    const metrics = await accepting.metrics()
    assert.match(metrics, /^strikebook_withdrawals_missing 1$/m)
    assert.match(metrics, /^strikebook_withdrawals_missing_usd 400$/m)
    const again = await withdrawBody(key, destination, '1000')
    const refused = await accepting.send('POST', '/withdraw/usdc', again)
    assertError(refused, 503, 'withdrawal_source_unavailable')
    const free = await withdrawBody(other, destination, '10')
    assert.equal((await accepting.send('POST', '/withdraw/usdc', free)).status, 200)
  } finally {
    await accepting.end('SIGTERM')
  }
})
