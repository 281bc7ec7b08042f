import { perpSourceOf } from '../../schemas/signing/perp-action-hash.js'
import {
  type SigningDomain,
  type StructType,
  signingDomains,
  type TypedField,
} from '../../schemas/typed-data.js'
import type { Config } from '../config/config-schema.js'
import { zeroAddress } from '../http/service.js'
import { signedHashes } from './hashes.js'
import type { Signature } from './operation-list.js'

// Description of signatures in the documents. It is sufficient to implement signing.

type Json = Readonly<Record<string, unknown>>

/** Part of the description of both documents. */
export const signedRule = [
  'A field of a struct is signed as the field of the body with its name in snake case. An absent text',
  'is signed as an empty one. `values` lists the exceptions.',
].join(' ')

const word = 'as 32 bytes: 16 of zero, then the 16 of the UUID'
const micros = 'times a million, as a whole number'
/** Signed value of a field that the body does not have, or has in another form. */
const specialValues: Readonly<Record<string, string>> = {
  orderId: '`order_id` as decimal text',
  rfqId: `\`rfq_id\` ${word}`,
  quoteId: `\`quote_id\` ${word}`,
  limitPrice: `\`auto_accept_limit\`, on the stream \`limit_price\`, ${micros}`,
  netPremium: `The net premium of the quote ${micros}, truncated`,
  payoutIds: '`ids` in their order, joined by `,`',
  qpWallet: 'The wallet of the session',
  seen: '`seen`; true if absent',
  source: '`source` of this object',
  ...signedHashes,
}
const ofWalletAddress = ['SubmitRFQ', 'SubmitAutoExecuteRfq', 'AcceptRFQQuote']

/** Returns `x-signature` of an operation. */
export function signatureText(signature: Signature, config: Config): Json {
  const { structs, domain, by, outlivesAgents = false } = signature
  const isOwners = outlivesAgents && config.reads.private === 'signed'
  const domains = signingDomains(config.service.name, config.chainId)
  return {
    domain: domainText(domains[domain]),
    signed_by: isOwners ? 'owner' : by,
    ...(domain === 'perp' ? { source: perpSourceOf(config) } : {}),
    types: typesOf(structs),
  }
}

/** Returns `x-signature` of a frame. */
export function frameSignature(structs: readonly StructType[], config: Config): Json {
  const { options } = signingDomains(config.service.name, config.chainId)
  return { domain: domainText(options), types: typesOf(structs) }
}

/** Returns the complete domain, as signers need it. */
function domainText(domain: SigningDomain): Json {
  return { ...domain, verifyingContract: zeroAddress }
}

/** Returns structs in the form that typed-data libraries accept, and the signed values of special fields. */
function typesOf(structs: readonly StructType[]): readonly Json[] {
  return structs.map((struct) => {
    const { primaryType, fields, nested } = struct
    const values = fields.flatMap((field) => {
      const value = signedAs(field, struct)
      return value === null ? [] : [[field.name, value] as const]
    })
    return {
      primaryType,
      types: { [primaryType]: fields, ...nested },
      ...(values.length === 0 ? {} : { values: Object.fromEntries(values) }),
    }
  })
}

function signedAs({ name, type }: TypedField, { primaryType }: StructType): string | null {
  if (name === 'wallet' && ofWalletAddress.includes(primaryType)) return '`wallet_address`'
  // Only a push subscription has a text here. Elsewhere `action` is a struct.
  if (name === 'action' && type === 'string') return 'The last part of the path'
  if (name === 'action') {
    return primaryType === 'HLOrder'
      ? '`action` of the body; an absent `cloid` is the nonce'
      : '`action` of the body'
  }
  return specialValues[name] ?? null
}
