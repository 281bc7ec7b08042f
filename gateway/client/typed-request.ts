import { formatHex } from '../../schemas/hex.js'
import {
  type TypedMessage,
  type TypedValue,
  typedDataDigest,
} from '../../schemas/signing/typed-data-digest.js'
import type { SigningDomain, StructType, TypedField } from '../../schemas/typed-data.js'
import type { Signer } from './signer.js'

/** Typed data to sign, in the terms of EIP-712. */
export interface TypedRequest {
  readonly domain: SigningDomain
  readonly struct: StructType
  readonly message: TypedMessage
}

/** The same typed data in the format of wallets, as viem and ethers accept it. */
export interface WalletTypedData {
  readonly domain: SigningDomain & { readonly verifyingContract: `0x${string}` }
  /** Without `EIP712Domain`. */
  readonly types: Record<string, { name: string; type: string }[]>
  readonly primaryType: string
  readonly message: Record<string, unknown>
}

const zeroAddress = '0x0000000000000000000000000000000000000000'

/** Signs typed data: synchronously with a key, as a promise with an account. */
export function signTyped(signer: Signer, request: TypedRequest): string | Promise<string> {
  if (signer.signTyped !== undefined) return signer.signTyped(request)
  const { domain, struct, message } = request
  return signer.sign(typedDataDigest(domain, struct, message))
}

/** Converts integers to bigints, and bytes and addresses to text, which every wallet accepts. */
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
