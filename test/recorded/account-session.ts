import { newToken } from '../../gateway/operator/operator-tokens.js'
import { type DirectiveKey, directiveBody, nameWord } from '../e2e/support/directive-body.js'
import {
  type Body,
  developmentDomain,
  placeBody,
  signed,
  type WalletKey,
  withdrawBody,
} from '../e2e/support/signed-body.js'
import type { Wire } from '../e2e/support/venue.js'
import { call, funded } from './market-session.js'
import type { RecordedVenue } from './recorded-venue.js'

/** Address to which withdrawals expire. */
export const expiredTo = `0x${'0'.repeat(38)}dd`
const otherTo = `0x${'0'.repeat(38)}ee`
const endpoint = 'https://updates.push.services.mozilla.com/wpush/v2/recorded'
/** Push keys of a browser, as in the documents. */
const browserKeys = {
  p256dh: 'BGsX0fLhLEJH-Lzm5WOkQPJ3A32BLeszoPShOUXYmMKWT-NC4v4af5uO5-tKfA-eFivOM1drMV7Oy7ZAaDe_UfU',
  auth: 'AAECAwQFBgcICQoLDA0ODw',
}

/** Plays every write of accounts, agents and directives. @returns ids of the directives. */
export async function playAccounts(
  venue: RecordedVenue,
  signer: WalletKey,
): Promise<readonly string[]> {
  const by = await funded(venue, 'account')
  await venue.send('POST', '/faucet', { wallet: venue.key('granted').wallet })
  await playAgents(venue, by)
  await playSettings(venue, by, signer)
  await playNames(venue, by)
  return playDirectives(venue, by)
}

/** Signs a write as the owner or as another signer. */
async function act(
  venue: RecordedVenue,
  by: WalletKey,
  key: string,
  struct: Parameters<typeof signed>[1],
  patch: Body = {},
  signer = by,
): Promise<Wire> {
  const [method, path] = key.split(' ') as [string, string]
  const body = { wallet: by.wallet, nonce: signer.nextNonce(), ...patch }
  const action = { action: path.slice(path.lastIndexOf('/') + 1) }
  return venue.send(method, path, await signed(signer, struct, body, developmentDomain, action))
}

async function playAgents(venue: RecordedVenue, by: WalletKey): Promise<void> {
  const signer = venue.key('agent')
  const agent = { agent: signer.wallet }
  const order = async () =>
    venue.send('POST', '/order', await placeBody(by, { symbol: call, price: '50' }, signer))
  await act(venue, by, 'POST /approve-agent', 'ApproveAgent', agent)
  await order()
  await act(venue, by, 'DELETE /revoke-agent', 'RevokeAgent', agent)
  await order()
  await act(venue, by, 'DELETE /revoke-all-agents', 'RevokeAllAgents')
}

async function playSettings(venue: RecordedVenue, by: WalletKey, signer: WalletKey): Promise<void> {
  const own = (...row: readonly [string, Parameters<typeof signed>[1], Body?]) =>
    act(venue, by, ...row)
  const mmp = { currency: 'BTC', interval_ms: 1000, frozen_time_ms: 5000, qty_limit: '10' }
  await own('POST /mmp-config', 'SetMmpConfig', mmp)
  await own('POST /mmp-config/reset', 'ResetMmp', { currency: 'BTC' })
  await own('DELETE /mmp-config', 'DeleteMmpConfig', { currency: 'BTC' })
  await own('POST /margin-mode', 'SetMarginMode', { margin_mode: 'portfolio' })
  await own('POST /margin-mode', 'SetMarginMode', { margin_mode: 'wild' })
  await own('POST /cancel-all', 'CancelAll', { scope: 'all' })
  await venue.send('POST', '/order', await placeBody(by, { symbol: call, price: '51' }))
  await own('POST /dead-man', 'SetDeadMan', { timeout_ms: 5000 })
  await venue.pass(6000)
  await act(venue, by, 'POST /user-tier', 'SetUserTier', { tier: 'tier2' }, signer)
  await own('POST /user-tier', 'SetUserTier', { tier: 'tier1' })
  await venue.set('/user-tier', { wallet: by.wallet, tier: 'market_maker' })
  await venue.set('/tiers', { wallet: by.wallet, tier: 'gold' })
  const subscription = { endpoint, expirationTime: null, keys: browserKeys }
  await own('POST /push/subscribe', 'PushAction', { subscription })
  await own('POST /push/preferences', 'PushAction', { fills: false })
  await own('POST /push/unsubscribe', 'PushAction', { endpoint })
  for (let sent = 0; sent < 2; sent++) {
    await venue.set('/insurance-fund', { amount: '5000', deposit_id: 'fund' })
  }
  await venue.set('/max-index', { underlying: 'BTC', max_index: '2000000' })
  await venue.set('/clock', { accept: 'engine' })
  await venue.set('/wallet-halts', { wallet: by.wallet, mode: 'open' })
}

async function playNames(venue: RecordedVenue, by: WalletKey): Promise<void> {
  const other = await funded(venue, 'referred')
  const request = (each: WalletKey, requested_username: string) =>
    act(venue, each, 'POST /submitUsernameRequest', 'SubmitUsernameRequest', { requested_username })
  for (const [each, username, verdict] of [
    [by, 'recorded_one', 'approved'],
    [other, 'recorded_two', 'rejected'],
  ] as const) {
    await request(each, username)
    await venue.call('GET', '/operator/usernames', { port: 'operator' })
    await venue.set('/usernames', { wallet: each.wallet, verdict, username })
  }
  await request(by, 'admin')
  await act(venue, by, 'POST /referrals/code', 'CreateReferralCode', { code: 'desk' })
  for (const code of ['DESK', 'NONE']) {
    const terms = { code, referrer: by.wallet }
    await act(venue, other, 'POST /referrals/set-referrer', 'SetReferrer', terms)
  }
}

async function playDirectives(venue: RecordedVenue, by: WalletKey): Promise<readonly string[]> {
  const { perps } = await venue.get('/exchange-info')
  const { asset } = perps[0]
  const ids: string[] = []
  const act = async (key: DirectiveKey, action: Body): Promise<Wire> => {
    const answer = await venue.send(
      'POST',
      `/v1/actions/${key}`,
      await directiveBody(by, key, action),
    )
    if (answer.directiveId !== undefined) ids.push(answer.directiveId)
    return answer
  }
  const terms = { asset, isBuy: true, limitPx: 100e8, sz: 1e8, reduceOnly: false, encodedTif: 2 }
  const { orderId } = await act('hl_limit_order', terms)
  await act('hl_limit_order', { ...terms, asset: 77 })
  await act('hl_cancel_by_oid', { asset, oid: String(orderId) })
  const cloid = `0x${'9'.padStart(32, '0')}`
  await act('hl_limit_order', { ...terms, cloid })
  await act('hl_cancel_by_cloid', { asset, cloid })
  await act('hl_set_abstraction', { user: by.wallet, abstraction: 2 })
  const addr = venue.key('api').wallet
  await act('hc_update_api_wallet', { name: nameWord('api'), addr })
  return ids
}

/**
 * Plays three withdrawals: one is delivered, the operator returns one, and one exceeds the balance. The rail delivers by
 * the wall clock, so batches and the state hash differ between runs from here on.
 */
export async function playWithdrawals(venue: RecordedVenue): Promise<readonly string[]> {
  const by = venue.key('account')
  const withdraw = async (to: string, amount: string, delivery: string): Promise<string> => {
    const body = await withdrawBody(by, to, amount)
    const answer = await venue.send('POST', '/withdraw/usdc', body, async ({ directive_id }) => {
      if (directive_id === undefined) return
      const isDone = ({ delivery_status }: Wire) => delivery_status === delivery
      await venue.until(`/v1/directives/${directive_id}`, isDone)
    })
    return answer.directive_id
  }
  const delivered = await withdraw(otherTo, '400.5', 'finalized')
  const expired = await withdraw(expiredTo, '100', 'expired')
  await withdraw(otherTo, '99999999', 'none')
  const verdict = { directive_id: expired, verdict: 'returned' }
  await venue.set('/withdrawals', verdict)
  return [delivered, expired]
}

/** Operator identities, and the file that lists them. */
export function operatorTokens() {
  const [ann, bob] = [newToken('ann', ['money']), newToken('bob', ['money', 'read'])]
  return { ann: ann.token, bob: bob.token, text: `${ann.line}\n${bob.line}\n` }
}

/** Plays a venue with signed reads and a second approval for money. */
export async function playGuarded(
  venue: RecordedVenue,
  { ann, bob }: Readonly<Record<'ann' | 'bob', string>>,
): Promise<void> {
  const by = venue.key('guarded')
  const as = (token: string, method: string, path: string, body?: unknown): Promise<Wire> => {
    venue.token = token
    return venue.call(method, `/operator${path}`, { body, port: 'operator' })
  }
  const ask = (id: string) =>
    as(ann, 'POST', '/deposits', { wallet: by.wallet, amount: '12', deposit_id: id })
  for (const verdict of ['approved', 'rejected']) {
    const { approval_id } = await ask(verdict)
    await as(bob, 'GET', '/approvals')
    await as(ann, 'POST', '/approvals', { approval_id, verdict })
    await as(bob, 'POST', '/approvals', { approval_id, verdict })
    await venue.pass()
  }
  for (const token of [ann, 'wrong']) await as(token, 'GET', '/identity')
  await as(bob, 'GET', '/audit')
  const path = `/portfolio?wallet=${by.wallet}`
  await venue.get(path)
  const session = await venue.readSession(by)
  await venue.call('GET', path, { headers: { authorization: `Bearer ${session}` } })
  await venue.call('GET', path, { headers: { authorization: 'Bearer wrong' } })
  const own = await venue.connect('guarded')
  await own.ask({ type: 'Authenticate', wallet: by.wallet }, 'Authenticated')
  await own.subscribe('fills')
  await own.ask({ type: 'Authenticate', wallet: by.wallet, session }, 'Authenticated')
  await own.subscribe('fills')
}
