import { excluded, given, givenText, table } from './table.js'

// The tables of numbers that were used: what is lost with the journal's end must not be used again.

export const isHigherNonce = '(excluded.high, excluded.low) > (high, low)'
const higher = (half: string) =>
  `${half} = case when ${isHigherNonce} then excluded.${half} else ${half} end`

/**
 * The highest nonce that a wallet's owner, or its agents, have used, and when they last used one: a sequence that is not
 * below that of its outcome. What the log of nonces has (`nonce-log.ts`) is to come.
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

// What is known of nonces, numbers and underlyings that were lost with the journal's end stays for good.
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
