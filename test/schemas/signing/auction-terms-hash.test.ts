import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { auctionTermsHash, portfolioHash } from '../../../schemas/signing/auction-terms-hash.js'
import { signingVectors } from '../../support/signing-vectors.js'

test('auction terms hash as in the vectors', () => {
  const row: Record<string, string> = signingVectors.encodings.find(
    (candidate) => (candidate['name'] as string) === 'auction_terms_hash',
  )!
  const hash = auctionTermsHash({
    auctionId: row['auctionId']!,
    liquidatedWallet: row['liquidatedWallet']!,
    auctionVersion: Number(row['auctionVersion']),
    portfolioHash: row['portfolioHash']!,
    bidUsdc: row['bidUsdc']!,
    valuationTimestampMillis: Number(row['valuationTimestampMs']),
  })
  assert.equal(hash, row['auctionTermsHash'])
})

test('a portfolio hashes the same in any order of its positions', () => {
  const a = { symbol: 'BTC-20261002-100000-C', quantity: '-1.5', entryPrice: '500' }
  const b = { symbol: 'BTC-20261002-90000-P', quantity: '2', entryPrice: '10.25' }
  const text = 'BTC-20261002-100000-C|-1.5|500;BTC-20261002-90000-P|2|10.25'
  const expected = `sha256:${createHash('sha256').update(text).digest('hex')}`
  assert.equal(portfolioHash([a, b]), expected)
  assert.equal(portfolioHash([b, a]), expected)
})
