import { type Hex, keccak256, type TypedDataDefinition, toBytes } from 'viem'
import type { Body, WalletKey } from './signed-body.js'

/** Signature as a document describes it. */
export interface DocumentedSignature {
  readonly domain: Readonly<Record<string, unknown>>
  readonly types: readonly {
    readonly primaryType: string
    readonly types: Readonly<
      Record<string, readonly { readonly name: string; readonly type: string }[]>
    >
  }[]
}

/** Struct values that differ from the body's. */
const derived: Readonly<Record<string, (body: Body) => unknown>> = {
  rfqId: ({ rfq_id }) => wordOf(String(rfq_id)),
  quoteId: ({ quote_id }) => wordOf(String(quote_id)),
  legsHash: ({ legs }) =>
    keccak256(
      toBytes(
        (legs as readonly Body[])
          .map((leg) => `${leg['instrument']}|${String(leg['side']).toLowerCase()}|${leg['size']}`)
          .join(';'),
      ),
    ),
  netPremium: () => 0n,
  payoutIds: ({ ids }) => (ids as readonly number[]).join(','),
  orderId: ({ order_id }) => String(order_id),
  wallet: (body) => body['wallet'] ?? body['wallet_address'],
}

/**
 * Returns a document's example as a reader would send it: with the reader's wallet and nonce, signed as the document
 * says.
 */
export async function signedExample(
  by: WalletKey,
  example: Body,
  { domain, types: forms }: DocumentedSignature,
  path: string,
): Promise<Body> {
  const named = ['wallet', 'wallet_address', 'account'].find((name) => name in example)
  const owner = named === undefined ? '' : String(example[named])
  const own = owner === '' ? example : replaced(example, owner, by.wallet)
  const body: Body = { ...own, nonce: by.nextNonce() }
  const form = forms.find(({ primaryType }) => isOf(primaryType, body)) ?? forms[0]!
  const fields = form.types[form.primaryType]!
  const message = fields.map(
    ({ name, type }) => [name, signedValue(name, type, body, path)] as const,
  )
  const signature = await by.account.signTypedData({
    domain,
    types: form.types,
    primaryType: form.primaryType,
    message: Object.fromEntries(message),
  } as unknown as TypedDataDefinition<Record<string, unknown>, string>)
  return { ...body, signature }
}

/** Returns an example with its wallet replaced by another one. */
function replaced(example: Body, wallet: string, other: string): Body {
  return JSON.parse(JSON.stringify(example).replaceAll(wallet, other))
}

/** Returns true if a cancel with this body is signed with this struct: by order id or by client id. */
function isOf(primaryType: string, body: Body): boolean {
  return primaryType === 'CancelOrder' && 'order_id' in body
    ? true
    : primaryType === 'CancelOrderByClientId' && !('order_id' in body)
}

function signedValue(name: string, type: string, body: Body, path: string): unknown {
  const special = derived[name]
  if (special !== undefined) return special(body)
  if (name === 'action' && type === 'string') return path.slice(path.lastIndexOf('/') + 1)
  const value = body[name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)]
  if (type === 'string') return value ?? ''
  if (type === 'bool') return value ?? true
  // The struct within a directive, whose client id may be hexadecimal.
  if (name === 'action') return value
  if (type.startsWith('uint')) return BigInt(String(value ?? 0))
  return value
}

/** Returns a UUID as 32 bytes. */
function wordOf(uuid: string): Hex {
  return `0x${'0'.repeat(32)}${uuid.replaceAll('-', '')}`
}
