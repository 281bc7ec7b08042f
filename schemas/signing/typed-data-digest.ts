import { concatBytes } from '@noble/hashes/utils.js'
import { assert } from '../assert.js'
import { parseHex } from '../hex.js'
import { domainType, type SigningDomain, type StructType } from '../typed-data.js'
import { addressBytes } from '../wallet.js'
import { keccak256 } from './keccak.js'

/**
 * Value of a field: text for `string`; `0x` text or bytes for `address` and `bytes32`; a bigint, an
 * integer or decimal text for `uintN` and `intN`; a boolean; an object for a struct; an array.
 */
export type TypedValue =
  | string
  | number
  | bigint
  | boolean
  | Uint8Array
  | TypedMessage
  | readonly TypedValue[]
export interface TypedMessage {
  readonly [field: string]: TypedValue
}

export const digestBytes = 32
const zeroAddress = new Uint8Array(addressBytes)
const utf8 = new TextEncoder()
const prefix = Uint8Array.of(0x19, 0x01)
/** Cached hashes of recurring domains and structs. */
const separators = new WeakMap<SigningDomain, Uint8Array>()
const typeHashes = new WeakMap<StructType, Uint8Array>()

/**
 * Returns the EIP-712 digest of any struct: keccak-256(0x1901 ‖ domain separator ‖ struct hash). Deliberately simple;
 * frequent orders and cancels use `OrderDigester`.
 * @param message a value for every field; others are ignored.
 * @returns 32 fresh bytes.
 * @throws Error for a missing field, a wrong type or a number out of range: the caller validates.
 */
export function typedDataDigest(
  domain: SigningDomain,
  struct: StructType,
  message: TypedMessage,
): Uint8Array {
  let separator = separators.get(domain)
  if (separator === undefined) {
    separator = domainSeparator(domain)
    separators.set(domain, separator)
  }
  return keccak256(concatBytes(prefix, separator, hashStruct(struct, message)))
}

/** Returns the struct hash of the domain, 32 fresh bytes. */
export function domainSeparator(domain: SigningDomain): Uint8Array {
  return hashStruct(domainType, { ...domain, verifyingContract: zeroAddress })
}

/** Returns the Keccak-256 of the type's text, 32 fresh bytes. */
export function typeHash(struct: StructType): Uint8Array {
  return keccak256(utf8.encode(struct.encodeType))
}

/** Returns Keccak-256(type hash ‖ encoded fields), 32 fresh bytes. Throws like `typedDataDigest`. */
export function hashStruct(struct: StructType, message: TypedMessage): Uint8Array {
  const words = struct.fields.map((field) => {
    const value = message[field.name]
    if (value === undefined) throw new TypeError(`typed data: ${field.name} has no value`)
    if (field.type === 'string' && typeof value !== 'string')
      throw new TypeError(`typed data: ${field.name} must be text, as '0.1'`)
    return encodeValue(field.type, value, struct)
  })
  let type = typeHashes.get(struct)
  if (type === undefined) {
    type = typeHash(struct)
    typeHashes.set(struct, type)
  }
  return keccak256(concatBytes(type, ...words))
}

function encodeValue(type: string, value: TypedValue, owner: StructType): Uint8Array {
  if (type.endsWith('[]')) {
    assert(Array.isArray(value), 'typed data: an array field needs an array')
    return keccak256(
      concatBytes(...value.map((item) => encodeValue(type.slice(0, -2), item, owner))),
    )
  }
  if (owner.nested[type] !== undefined)
    return hashStruct(nestedStruct(type, owner), objectOf(value))
  if (type === 'string') {
    assert(typeof value === 'string', 'typed data: a string field needs text')
    return keccak256(utf8.encode(value))
  }
  if (type === 'bool') {
    assert(typeof value === 'boolean', 'typed data: a bool field needs a boolean')
    return integerWord(value ? 1n : 0n)
  }
  if (type === 'address') return rightAligned(bytesOf(value, addressBytes))
  if (type === 'bytes32') return bytesOf(value, digestBytes)
  return integerWord(integerOf(type, value))
}

function nestedStruct(type: string, owner: StructType): StructType {
  const fields = owner.nested[type]!
  const text = fields.map((field) => `${field.type} ${field.name}`).join(',')
  // Nested structs here are flat, so the text of one consists of its own fields.
  assert(
    fields.every((field) => owner.nested[field.type] === undefined),
    'typed data: one level',
  )
  return { primaryType: type, fields, nested: {}, encodeType: `${type}(${text})` }
}

function objectOf(value: TypedValue): TypedMessage {
  const isObject =
    typeof value === 'object' && !Array.isArray(value) && !(value instanceof Uint8Array)
  assert(isObject, 'typed data: a struct field needs an object')
  return value as TypedMessage
}

function integerOf(type: string, value: TypedValue): bigint {
  const match = /^(u?)int(\d+)$/.exec(type)
  assert(match !== null, 'typed data: unknown type')
  const isInteger =
    typeof value === 'bigint' ||
    (typeof value === 'number' && Number.isSafeInteger(value)) ||
    (typeof value === 'string' && /^-?\d+$/.test(value))
  assert(isInteger, 'typed data: an integer field needs an integer')
  const integer = BigInt(value as string | number | bigint)
  const bits = Number(match[2])
  const fits = match[1] === 'u' ? BigInt.asUintN(bits, integer) : BigInt.asIntN(bits, integer)
  assert(fits === integer, 'typed data: an integer is out of range')
  return integer
}

/** Returns the 256-bit two's complement, big-endian. */
function integerWord(integer: bigint): Uint8Array {
  return parseHex(`0x${BigInt.asUintN(256, integer).toString(16).padStart(64, '0')}`)!
}

function bytesOf(value: TypedValue, count: number): Uint8Array {
  const bytes = typeof value === 'string' ? parseHex(value) : value
  assert(bytes instanceof Uint8Array && bytes.length === count, 'typed data: wrong bytes')
  return bytes
}

function rightAligned(bytes: Uint8Array): Uint8Array {
  const word = new Uint8Array(32)
  word.set(bytes, 32 - bytes.length)
  return word
}
