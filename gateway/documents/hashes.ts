import { intentBytesMax } from '../../schemas/bounds.js'
import { auctionTermsScheme } from '../auth/auction-terms-hash.js'

type Json = Readonly<Record<string, unknown>>

const textOf = 'L(x) is the length of x in UTF-8 as 8 bytes, little-endian, and then x in UTF-8'

/** What is hashed before it is signed, by the name of the struct's field. */
export const signedHashes = {
  legsHash:
    'keccak-256 of the UTF-8 text of the legs in the order of the request, joined by `;`; each is `instrument|side|size`: ' +
    'the instrument as sent, the side in lower case, the size as sent but for zeros at its beginning, of which one stays ' +
    'before the point',
  connectionId:
    'keccak-256 of, one behind the other: `action` as MessagePack, keys in the order in which its schema has them and no ' +
    'others, the shortest forms; the nonce in 8 bytes, big-endian; a byte 0, or with a vaultAddress a byte 1 and its 20 ' +
    'bytes; and with expiresAfter a byte 0 and its 8 bytes, big-endian',
}

/** `x-hashes` of the document of HTTP: every hash that stands in a body or an answer, or is signed. */
export function hashesText(): Json {
  return {
    portfolio_hash:
      '`sha256:` and the SHA-256, in lower-case hex, of the UTF-8 text of the positions, sorted by symbol and joined by `;`; ' +
      'each is `symbol|quantity|entry_price` as the status has them',
    auction_terms_hash:
      `\`sha256:\` and the SHA-256, in lower-case hex, of L(\`${auctionTermsScheme}\`), L(auction_id), L(liquidated wallet in ` +
      'lower case), auction_version as 8 bytes, little-endian, L(portfolio_hash), L(current_required_bid_usdc without ' +
      `zeros at its end), and valuation_timestamp_ms as 8 bytes, little-endian, one behind the other. ${textOf}`,
    bid_intent_hash: `Of the bidder’s own choice, 1 to ${intentBytesMax} of printable ASCII: signed, kept, not interpreted`,
    ...signedHashes,
    digest:
      'keccak-256 of 0x1901, the hash of the domain and the hash of the struct (EIP-712); the domain has name, version, ' +
      'chainId and verifyingContract, the zero address, and no salt',
  }
}
