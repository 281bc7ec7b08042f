import { excluded, given, givenText, table } from './table.js'

// Tables of used numbers. Numbers that are lost with the end of the journal must not be used again.

export const isHigherNonce = '(excluded.high, excluded.low) > (high, low)'
const higher = (half: string) =>
  `${half} = case when ${isHigherNonce} then excluded.${half} else ${half} end`

/**
 * Highest nonce that a wallet's owner or its agents have used, and a sequence at or after their last use. The log of
 * nonces (`nonce-log.ts`) has further nonces that this table does not include yet.
 */
export const nonces = table(
  'nonces',
  null,
  {
    wallet: givenText,
    signer: given(0),
    high: given(1),
    low: given(2),
    lastSeq: given(3),
  },
  {
    key: ['wallet', 'signer'],
    updates: `${higher('high')}, ${higher('low')}, ${excluded('lastSeq')}`,
  },
)

// Nonces, numbers and underlyings that were lost with the end of the journal. These rows are permanent.
export const lostNonces = table(
  'lost_nonces',
  null,
  { wallet: givenText, signer: given(0), high: given(1), low: given(2) },
  { key: ['wallet', 'signer'] },
)
export const lostNumbers = table(
  'lost_numbers',
  null,
  { name: givenText, last: given(0) },
  { key: ['name'], updates: 'last = max(last, excluded.last)' },
)
export const lostUnderlyings = table(
  'lost_underlyings',
  null,
  { underlying: givenText, underlyingIndex: given(0) },
  { key: ['underlying'], updates: excluded('underlyingIndex') },
)
