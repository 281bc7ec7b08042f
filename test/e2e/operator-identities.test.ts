import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { newToken } from '../../gateway/operator/operator-tokens.js'
import { WalletKey } from './support/signed-body.js'
import { assertError, eventually, Venue } from './support/venue.js'

const folder = mkdtempSync(join(tmpdir(), 'strikebook-identities-'))
const tokensFile = join(folder, 'tokens')
const [alice, bob] = [newToken('alice', ['money']), newToken('bob', ['money', 'read'])]
const feed = newToken('feed', ['prices'])
const venue = new Venue({
  arguments: ['--set=operator.secondApproval=true', `--set=operator.tokensFile=${tokensFile}`],
})
const { wallet } = new WalletKey()
const deposit = { wallet, amount: '12', deposit_id: 'wire-1' }

function writeTokens(...lines: readonly string[]): void {
  writeFileSync(tokensFile, lines.join('\n'), { mode: 0o600 })
}

before(async () => {
  writeTokens(alice.line, bob.line, feed.line)
  await venue.start()
})
after(async () => {
  await venue.dispose()
  rmSync(folder, { recursive: true })
})

const equity = async () => (await venue.get(`/portfolio?wallet=${wallet}`)).body.data.equity

test('the venue credits a deposit once a second identity approves it, once, and logs both identities', async () => {
  const asked = await venue.operator('POST', '/deposits', deposit, alice.token)
  assert.equal(asked.status, 202, asked.text)
  const { approval_id } = asked.body
  const verdict = { approval_id, verdict: 'approved' }
  const waiting = await venue.operator('GET', '/approvals', undefined, bob.token)
  assert.deepEqual(
    waiting.body.data.map((row: { approval_id: string }) => row.approval_id),
    [approval_id],
  )
  assert.equal((await venue.operator('POST', '/approvals', verdict, alice.token)).status, 403)
  assert.equal((await venue.operator('POST', '/approvals', verdict, feed.token)).status, 403)
  assert.equal(await equity(), '0')
  const approved = await venue.operator('POST', '/approvals', verdict, bob.token)
  assert.equal(approved.status, 200, approved.text)
  assert.equal(await equity(), '12')
  const again = await venue.operator('POST', '/approvals', verdict, bob.token)
  assertError(again, 404, 'not_found')
  const { body } = await venue.operator('GET', '/audit?identity=bob&limit=2', undefined, bob.token)
  const row = body.data[1]
  assert.deepEqual(
    [row.outcome, row.requested.identity, row.requested.body, row.seq],
    ['done', 'alice', deposit, approved.body.seq],
  )
})

test('a token removed from the file stops working', async () => {
  const prices = { prices: [{ underlying: 'BTC', price: '100000' }] }
  const send = () => venue.operator('POST', '/index-prices', prices, feed.token)
  assert.equal((await send()).status, 200)
  writeTokens(alice.line, bob.line)
  await eventually('the token of the feed is out', async () => (await send()).status === 401)
  assert.match(venue.log(), /operator\.tokensFile reloaded: 2 identities/)
})

test('the log contains no token and no hash of one', () => {
  const text = venue.log()
  for (const { token, line } of [alice, bob, feed]) {
    assert.ok(!text.includes(token) && !text.includes(line.split(':')[1]!))
  }
  assert.ok(!text.includes(venue.token))
})
