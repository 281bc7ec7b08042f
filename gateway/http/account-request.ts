import { formatNonce } from '../../schemas/nonce.js'
import { BodyFields, signedFields } from '../commands/body-fields.js'
import { badNonce } from '../commands/order-request.js'
import { invalidField, takeWallet } from '../commands/request-fields.js'
import type { Signing } from '../commands/signing.js'
import { Fault } from '../fault.js'
import { readJsonBody } from './json-body.js'

/**
 * A signed write that sets one thing of a wallet to one of several names. Wallet bytes and nonce
 * stand in `Signing` as well.
 */
export interface AccountRequest {
  /** Lower-case text. */
  readonly wallet: string
  /** The name as it was signed, and its place among those allowed. */
  readonly name: string
  readonly index: number
  /** Decimal text. */
  readonly nonce: string
  readonly signature: string
}

const fieldsByName = new Map<string, BodyFields>()

/**
 * Reads `{wallet, <field>, nonce, signature}`.
 * @param field of the name, which is one of `names`.
 * @returns the first fault: fields that lack, then types, then values.
 */
export function readAccountRequest(
  bytes: Buffer | null,
  field: string,
  names: readonly string[],
  signing: Signing,
): AccountRequest | Fault {
  const body = readJsonBody(bytes)
  if (body instanceof Fault) return body
  const malformed =
    fieldsWith(field).fault(body, signing.refusesUnknownFields) ?? badNonce(body, signing)
  if (malformed !== null) return malformed
  const wallet = body['wallet'] as string
  const name = body[field] as string
  const index = names.indexOf(name)
  const fault =
    takeWallet(wallet, signing.wallet) ??
    (index < 0 ? invalidField(field, `must be one of ${names.join(', ')}`) : null)
  if (fault !== null) return fault
  return {
    wallet: wallet.toLowerCase(),
    name,
    index,
    nonce: formatNonce(signing.nonce[0], signing.nonce[1]),
    signature: body['signature'] as string,
  }
}

function fieldsWith(name: string): BodyFields {
  const known = fieldsByName.get(name)
  if (known !== undefined) return known
  const fields = new BodyFields({ wallet: 'text', [name]: 'text', ...signedFields })
  fieldsByName.set(name, fields)
  return fields
}
