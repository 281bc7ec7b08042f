import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keccak256, toBytes } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import {
  signAcceptRfqQuote,
  signRfq,
  signRfqQuote,
} from '../../../gateway/client/signed-actions.js'
import { createSigner } from '../../../gateway/client/signer.js'
import { asyncApi } from '../../../gateway/documents/asyncapi.js'
import { signingDomains } from '../../../schemas/typed-data.js'
import { testConfig } from '../../support/gateway-rig.js'

// Signatures by the texts of the document alone, with a foreign library: they must equal ours.

const config = testConfig()
const privateKey = `0x${'5'.repeat(64)}` as const
const stranger = privateKeyToAccount(privateKey)
const signer = createSigner(privateKey)
const domain = signingDomains(config.service.name, config.chainId).options
const ours = { domain, signer, wallet: signer.address }
const { messages } = asyncApi({ config, version: '1.2.3' })['components'] as {
  // biome-ignore lint/suspicious/noExplicitAny: a document as a stranger reads it
  readonly messages: Record<string, any>
}

const rfqId = '0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b'
const quoteId = '0190a1b2-c3d4-7e5f-8a9b-ffffffffffff'
const legs = [
  { instrument: 'BTC-20991231-110000-C', side: 'Buy' as const, size: '01.50' },
  { instrument: 'BTC-20991231-120000-C', side: 'Sell' as const, size: '00.5' },
]

/** `as 32 bytes: 16 of zero, then the 16 of the UUID`. */
function wordOf(uuid: string): string {
  return `0x${'0'.repeat(32)}${uuid.replaceAll('-', '')}`
}

/** `x-hashes`, `legsHash`. */
function legsHash(): string {
  const texts = legs.map(
    ({ instrument, side, size }) =>
      `${instrument}|${side.toLowerCase()}|${size.replace(/^0+(?=\d)/, '')}`,
  )
  return keccak256(toBytes(texts.join(';')))
}

async function signed(frame: string, message: Readonly<Record<string, unknown>>): Promise<string> {
  const { domain: named, types: structs } = messages[frame]['x-signature']
  const [{ primaryType, types }] = structs
  const named32 = types[primaryType].map(({ name }: { readonly name: string }) => name)
  assert.deepEqual(Object.keys(message).sort(), [...named32].sort(), 'nothing else is signed')
  return stranger.signTypedData({ domain: named, types, primaryType, message })
}

test('the document alone suffices to sign a request, its acceptance and a firm quote', async () => {
  const wallet = stranger.address
  const asked = { rfqId: wordOf(rfqId), legsHash: legsHash(), wallet, nonce: 7n }
  assert.equal(await signed('SubmitRfq', asked), signRfq(ours, { rfqId, legs }, 7)['signature'])
  const limited = { ...asked, limitPrice: 1_200_500_000n }
  assert.equal(
    await signed('SubmitAutoExecuteRfq', limited),
    signRfq(ours, { rfqId, legs, autoAcceptLimit: '1200.5' }, 7)['signature'],
  )
  const accepted = { rfqId: wordOf(rfqId), quoteId: wordOf(quoteId), netPremium: -300_000_001n }
  assert.equal(
    await signed('AcceptRfqQuote', { ...accepted, wallet, nonce: 8n }),
    signAcceptRfqQuote(ours, { rfqId, quoteId, netPremium: '-300.000001' }, 8)['signature'],
  )
  const quote = { ...asked, netPremium: -1_400_000_000n, validForMs: 5000n, nonce: 9n }
  const { wallet: qpWallet, ...others } = quote
  const [buy, sell] = legs
  const priced = [
    { ...buy!, price: '1000' },
    { ...sell!, price: '200' },
  ]
  assert.equal(
    await signed('rfq_response', { ...others, qpWallet }),
    signRfqQuote(ours, { rfqId, legs: priced, netPremium: '-1400', validForMillis: 5000 }, 9)[
      'signature'
    ],
  )
})
