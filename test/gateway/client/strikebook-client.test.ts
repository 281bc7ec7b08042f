import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { accountActions } from '../../../gateway/actions/account-actions.js'
import type { LiquidationStatus } from '../../../gateway/client/answer-types.js'
import type { SignedBody } from '../../../gateway/client/signed-actions.js'
import {
  connectStrikebook,
  type StrikebookClient,
} from '../../../gateway/client/strikebook-client.js'
import { portfolioHash } from '../../../schemas/signing/auction-terms-hash.js'
import { newBrowser } from '../../support/browser.js'
import { agent, type GatewayRig, owner, startRig } from '../../support/gateway-rig.js'

let rig: GatewayRig
let client: StrikebookClient
before(async () => {
  rig = await startRig({ 'operator.signers': owner.address })
  client = await connectStrikebook({ url: rig.url, privateKey: '11'.repeat(32) })
})
after(() => rig.stop())

const positions = [{ symbol: 'BTC-20300628-100000-C', quantity: '-1', entry_price: '10' }]
const texts = positions.map(({ entry_price: entryPrice, ...rest }) => ({ ...rest, entryPrice }))
const status = {
  wallet: agent.address,
  full_liquidation: {
    auction_id: 'auction-1',
    request_id: '5b000000-0000-8000-8000-000000000001',
    current_required_bid_usdc: '100',
    current_positions: positions,
    current_portfolio_hash: portfolioHash(texts),
    current_auction_version: 1,
    current_valuation_timestamp_ms: 1_700_000_000_000,
  },
} as unknown as LiquidationStatus

const fcm = 'https://fcm.googleapis.com/fcm/send/1'
const currency = { currency: 'BTC' }
const window = { intervalMs: 5000, frozenTimeMs: 0, deltaLimit: '4' }
const calls: Readonly<Record<keyof typeof accountActions, () => Promise<unknown>>> = {
  SetMarginMode: () => client.account.setMarginMode({ marginMode: 'portfolio' }),
  SetSelfTradePrevention: () => client.account.setSelfTradePrevention({ mode: 'cancel_both' }),
  CancelAll: () => client.account.cancelAll({ scope: 'all' }),
  SetDeadMan: () => client.account.setDeadMan({ timeoutMs: 5000 }),
  SetUserTier: () => client.account.setUserTier({ tier: 'tier1' }),
  SetMmpConfig: () => client.account.setMmpConfig({ ...currency, ...window }),
  DeleteMmpConfig: () => client.account.deleteMmpConfig(currency),
  ResetMmp: () => client.account.resetMmp(currency),
  ApproveAgent: () => client.account.approveAgent({ agent: agent.address }),
  RevokeAgent: () => client.account.revokeAgent({ agent: agent.address }),
  RevokeAllAgents: () => client.account.revokeAllAgents(),
  SubmitUsernameRequest: () =>
    client.account.submitUsernameRequest({ requestedUsername: 'Alice_1' }),
  SetSettlementPayoutSeen: () =>
    client.account.setSettlementPayoutSeen({ ids: [3, 1], seen: false }),
  CreateReferralCode: () => client.account.createReferralCode({ code: 'friends' }),
  SetReferrer: () => client.account.setReferrer({ code: 'friends', referrer: agent.address }),
  WithdrawUsdc: () =>
    client.account.withdrawUsdc({
      ...{ account: owner.address, destination: agent.address, amount: '12.5' },
    }),
  PushSubscribe: () => client.account.pushSubscribe({ subscription: newBrowser(fcm).subscription }),
  PushUnsubscribe: () => client.account.pushUnsubscribe({ endpoint: 'https://push.example/1' }),
  PushPreferences: () => client.account.pushPreferences({ fills: false }),
  StandardMarginLiquidationOrder: () => client.bidLiquidation(status),
}

for (const [name, action] of Object.entries(accountActions)) {
  test(`${name} reaches the core by the client's method, signed by its key`, async () => {
    rig.core.seen.length = 0
    const answer = (await calls[name as keyof typeof calls]()) as SignedBody
    const [command] = rig.core.seen
    assert.deepEqual([command?.type, command?.signer], [action.command, owner.address])
    // A method returns the data of an answer without the envelope.
    assert.equal(Object.hasOwn(Object(answer), 'data'), false)
  })
}
