import { ProtocolError } from './client-error.js'
import type { Shape } from './generated/interface.js'
import type { StreamMessage } from './stream-types.js'

/** Predicates of value kinds, by their letter in a shape. */
const kinds: Readonly<Record<string, (value: unknown) => boolean>> = {
  s: (value) => typeof value === 'string',
  d: (value) => typeof value === 'string' && /^-?[0-9]+(\.[0-9]+)?$/.test(value),
  n: Number.isFinite,
  i: Number.isSafeInteger,
  b: (value) => typeof value === 'boolean',
  0: (value) => value === null,
  o: isObject,
  '*': () => true,
}

/**
 * Parses a frame. Returns its message, or the error if it is malformed. A message of an unknown type may have any
 * shape, and a known one may have fields that its shape does not list.
 */
export function readMessage(
  data: unknown,
  shapes: Readonly<Record<string, Shape>>,
): StreamMessage | ProtocolError {
  if (typeof data !== 'string') return new ProtocolError('a frame that is no text')
  let message: unknown
  try {
    message = JSON.parse(data)
  } catch (cause) {
    return new ProtocolError('a frame that is no JSON', { cause })
  }
  if (!isObject(message) || typeof message['type'] !== 'string') {
    return new ProtocolError('a frame that has no type')
  }
  const { type } = message
  const fault = Object.hasOwn(shapes, type) ? faultOf(message, shapes[type]!, type) : null
  return fault === null ? (message as StreamMessage) : new ProtocolError(`misshapen: ${fault}`)
}

/** Returns the path of the first missing or invalid field, or null. */
function faultOf(value: unknown, shape: Shape, path: string): string | null {
  if (typeof shape === 'string') {
    if (shape.startsWith('=')) return value === shape.slice(1) ? null : path
    for (const kind of shape) if (kinds[kind]!(value)) return null
    return path
  }
  if (!isList(shape)) return faultOfFields(value, shape, path)
  const [word, ...inner] = shape
  if (word === 'any') {
    const faults = inner.map((one) => faultOf(value, one, path))
    return faults.includes(null) ? null : faults.at(-1)!
  }
  if (!Array.isArray(value)) return path
  if (word === 'pair' && value.length !== inner.length) return path
  for (const [index, item] of value.entries()) {
    const fault = faultOf(item, inner[word === 'pair' ? index : 0]!, `${path}[${index}]`)
    if (fault !== null) return fault
  }
  return null
}

function faultOfFields(
  value: unknown,
  fields: Readonly<Record<string, Shape>>,
  path: string,
): string | null {
  if (!isObject(value)) return path
  for (const [spelled, shape] of Object.entries(fields)) {
    const isOptional = spelled.endsWith('?')
    const name = isOptional ? spelled.slice(0, -1) : spelled
    const field = value[name]
    if (isOptional && (field === undefined || field === null)) continue
    const fault = faultOf(field, shape, `${path}.${name}`)
    if (fault !== null) return fault
  }
  return null
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isList(shape: Shape): shape is readonly Shape[] {
  return Array.isArray(shape)
}
