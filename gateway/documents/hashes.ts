import { intentBytesMax } from '../../schemas/bounds.js'
import { auctionTermsScheme } from '../../schemas/signing/auction-terms-hash.js'

type Json = Readonly<Record<string, unknown>>

const textOf = 'L(x) is the length of x in UTF-8 as 8 bytes, little-endian, and then x in UTF-8'

/** Hashes within signed structs, by field. */
export const signedHashes = {
  legsHash:
    'keccak-256 of the UTF-8 text of the legs in the order of the request, joined by `;`. Each is `instrument|side|size`: ' +
    'the instrument as sent, the side in lower case, the size as sent without leading zeros, except for one before the ' +
    'point',
  connectionId:
    'keccak-256 of a concatenation. It begins with `action` as MessagePack, with the keys of its schema in that order and ' +
    'no others, in the shortest forms. The nonce follows in 8 bytes, big-endian. Then comes a byte 0, or with a ' +
    'vaultAddress a byte 1 and its 20 bytes. With expiresAfter, a byte 0 and its 8 bytes follow, big-endian',
}

/** Returns `x-hashes`, which describes every hash in a body, an answer or a signature. */
export function hashesText(): Json {
  return {
    portfolio_hash:
      '`sha256:` and the SHA-256, in lower-case hex, of the UTF-8 text of the positions, sorted by symbol and joined by `;`; ' +
      'each is `symbol|quantity|entry_price` as in the status',
    auction_terms_hash:
      `\`sha256:\` and the SHA-256, in lower-case hex, of L(\`${auctionTermsScheme}\`), L(auction_id), L(liquidated wallet in ` +
      'lower case), auction_version as 8 bytes, little-endian, L(portfolio_hash), L(current_required_bid_usdc without ' +
      `trailing zeros), and valuation_timestamp_ms as 8 bytes, little-endian, concatenated. ${textOf}`,
    bid_intent_hash: `Chosen by the bidder: 1 to ${intentBytesMax} printable ASCII characters, signed and stored, not interpreted`,
    ...signedHashes,
    digest:
      'keccak-256 of 0x1901, the hash of the domain and the hash of the struct (EIP-712); the domain has name, version, ' +
      'chainId and verifyingContract, the zero address, and no salt',
  }
}
