import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Wallet } from 'ethers'
import { privateKeyToAccount } from 'viem/accounts'
import { type Account, signerOfAccount } from '../../../gateway/client/account-signer.js'
import { signPerpOrder } from '../../../gateway/client/perp-actions.js'
import { signConnectProvider } from '../../../gateway/client/quote-provider-client.js'
import { settledBody } from '../../../gateway/client/settled.js'
import {
  type SigningContext,
  signAcceptRfqQuote,
  signAction,
  signCancelOrder,
  signPlaceOrder,
  signReplaceOrder,
  signRfq,
  signRfqQuote,
} from '../../../gateway/client/signed-actions.js'
import { createSigner, type Signer } from '../../../gateway/client/signer.js'
import { signingVectors } from '../../support/signing-vectors.js'

const { privateKey, address } = signingVectors.keys['A']!
const accounts: Readonly<Record<string, Account>> = {
  viem: privateKeyToAccount(privateKey as `0x${string}`),
  ethers: new Wallet(privateKey),
}
const domain = { name: 'Strikebook', version: '1', chainId: 31337 }
const symbol = 'BTC-20300628-100000-C'
const order = { symbol, side: 'Buy', size: '1.50', price: '250' } as const
const rfqId = '0b6f7a3e-6f0c-4b1e-9f9a-0d6a3c1f2e4d'
const legs = [{ instrument: symbol, side: 'Buy', size: '1.50' }] as const
const priced = [{ instrument: symbol, side: 'buy', size: '1', price: '500' }]

/** One body of every kind that a client signs. */
function bodiesOf(signer: Signer): readonly object[] {
  const context: SigningContext = { domain, signer, wallet: address }
  const quote = { rfqId, legs: priced, netPremium: '-500', validForMillis: 5000 }
  const perp = { asset: 3, side: 'Sell', size: '0.5', price: '100500', tif: 'alo' } as const
  return [
    signPlaceOrder(context, { ...order, clientId: 'a', reduceOnly: true }, 1),
    signReplaceOrder(context, { ...order, orderId: 5 }, 2),
    signCancelOrder(context, 5, 3),
    signAction(context, 'ApproveAgent', { agent: `0x${'ab'.repeat(20)}` }, 4),
    signRfq(context, { rfqId, legs, autoAcceptLimit: '12.5' }, 5),
    signAcceptRfqQuote(context, { rfqId, quoteId: rfqId, netPremium: '-500' }, 6),
    signRfqQuote(context, quote, 7),
    signPerpOrder({ source: 'Strikebook/31337', signer, wallet: address }, perp, 8),
    signConnectProvider({ context, nonce: 9, timestampMillis: 1_700_000_000_000 }),
  ]
}

for (const [kind, account] of Object.entries(accounts)) {
  test(`an account of ${kind} signs everything as its key does`, async () => {
    const signer = await signerOfAccount(account)
    assert.equal(signer.address, address)
    const signed = await Promise.all(bodiesOf(signer).map(settledBody))
    assert.deepEqual(signed, bodiesOf(createSigner(privateKey)))
  })
}

test('a request that an account refuses to sign is not sent', async () => {
  const refusing: Account = {
    address,
    signTypedData: () => Promise.reject(new Error('User rejected the request')),
  }
  const body = signCancelOrder(
    { domain, signer: await signerOfAccount(refusing), wallet: address },
    5,
    3,
  )
  await assert.rejects(async () => settledBody([body]), /User rejected/)
})

test('an account without an address fails', async () => {
  await assert.rejects(
    signerOfAccount({ address: 'nobody', signTypedData: async () => '' }),
    /no address/,
  )
})
