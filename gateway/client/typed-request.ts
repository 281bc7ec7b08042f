import { formatHex } from '../../schemas/hex.js'
import {
  type TypedMessage,
  type TypedValue,
  typedDataDigest,
} from '../../schemas/signing/typed-data-digest.js'
import type { SigningDomain, StructType, TypedField } from '../../schemas/typed-data.js'
import type { Signer } from './signer.js'

/** What is to be signed, as EIP-712 names its parts. */
export interface TypedRequest {
  readonly domain: SigningDomain
  readonly struct: StructType
  readonly message: TypedMessage
}

/** The same in the words of wallets, as viem and ethers take it. */
export interface WalletTypedData {
  readonly domain: SigningDomain & { readonly verifyingContract: `0x${string}` }
  /** Without `EIP712Domain`. */
  readonly types: Record<string, { name: string; type: string }[]>
  readonly primaryType: string
  readonly message: Record<string, unknown>
}

const zeroAddress = '0x0000000000000000000000000000000000000000'

/** Signs typed data: at once by a key, else when the account has. */
export function signTyped(signer: Signer, request: TypedRequest): string | Promise<string> {
  if (signer.signTyped !== undefined) return signer.signTyped(request)
  const { domain, struct, message } = request
  return signer.sign(typedDataDigest(domain, struct, message))
}

/** Integers become bigints, bytes and addresses text: what every wallet takes. */
export function walletTypedData({ domain, struct, message }: TypedRequest): WalletTypedData {
  const { primaryType, fields, nested } = struct
  const structs = { [primaryType]: fields, ...nested }
  const types = Object.entries(structs).map(([name, of]) => [name, of.map((each) => ({ ...each }))])
  return {
    domain: { ...domain, verifyingContract: zeroAddress },
    types: Object.fromEntries(types),
    primaryType,
    message: messageOf(fields, message, structs),
  }
}

type Structs = Readonly<Record<string, readonly TypedField[]>>

function messageOf(
  fields: readonly TypedField[],
  message: TypedMessage,
  structs: Structs,
): Record<string, unknown> {
  return Object.fromEntries(
    fields.map(({ name, type }) => [name, wireValueOf(type, message[name]!, structs)]),
  )
}

function wireValueOf(type: string, value: TypedValue, structs: Structs): unknown {
  if (Array.isArray(value)) {
    return value.map((item: TypedValue) => wireValueOf(type.slice(0, -2), item, structs))
  }
  if (value instanceof Uint8Array) return formatHex(value, 0, value.length)
  const fields = structs[type]
  if (fields !== undefined) return messageOf(fields, value as TypedMessage, structs)
  return /^u?int\d+$/.test(type) ? BigInt(value as string | number | bigint) : value
}
