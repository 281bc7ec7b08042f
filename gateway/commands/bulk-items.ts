import { assert } from '../../schemas/assert.js'
import { bulkItemsMax, commandBytesMax } from '../../schemas/bounds.js'
import { AnyCommand, BulkCommand } from '../../schemas/generated/commands.js'
import { type RecordSink, viewsOf } from '../../schemas/record-views.js'
import { BodyFields } from '../wire/body-fields.js'
import type { Fault } from '../wire/fault.js'
import { invalidParameter, type JsonObject } from '../wire/request-fields.js'

/** Names of the list in the object form of a bulk body. */
export type BulkList = keyof typeof listFields

// Each item has its own signer, recovered like any other.
const signer = { 'signer?': 'any' } as const
const listFields = {
  orders: new BodyFields({ orders: 'any', ...signer }),
  replacements: new BodyFields({ replacements: 'any', ...signer }),
  cancels: new BodyFields({ cancels: 'any', ...signer }),
}

/** The items of a bulk body as they came, and which form it had. */
export interface BulkBody {
  readonly items: readonly unknown[]
  /** A bare array is answered by a bare array. */
  readonly isBare: boolean
}

/**
 * Takes the items out of a bulk body.
 * @param name of the list in the object form.
 * @returns `MissingField`, or `InvalidParameter` for what is no list of 1 to 50.
 */
export function readBulkBody(
  body: readonly unknown[] | JsonObject,
  name: BulkList,
  refusesUnknown: boolean,
): BulkBody | Fault {
  const isBare = Array.isArray(body)
  const fault = isBare ? null : listFields[name].fault(body as JsonObject, refusesUnknown)
  if (fault !== null) return fault
  const items: unknown = isBare ? body : (body as JsonObject)[name]
  if (!Array.isArray(items)) return invalidParameter(name, 'must be a list')
  if (items.length >= 1 && items.length <= bulkItemsMax) return { items, isBare }
  return invalidParameter(name, `must have 1 to ${bulkItemsMax} items`)
}

const itemBytesMax = commandBytesMax - BulkCommand.bytes
const item = new AnyCommand()

/**
 * Room for the records of a bulk while its items are checked one after the other: whether they go to the core is
 * known only behind the last. One serves a thread: a request is taken from JSON to the command ring without a
 * pause.
 */
export class BulkItems implements RecordSink {
  readonly views = viewsOf(new ArrayBuffer(itemBytesMax & ~7))
  #bytes = 0

  clear(): void {
    this.#bytes = 0
  }

  /** A record behind the last: zeroes, its header of length and type written. */
  tryClaim(bytes: number, type: number): number {
    const at = this.#bytes
    assert(at + bytes <= this.views.u8.length, 'bulk items: fifty of the largest fit')
    item.over(this.views, at)
    item.recordBytes = bytes
    item.recordType = type
    item.clear()
    this.#bytes = at + bytes
    return at
  }

  /** The records so far, back to back. */
  records(): Uint8Array {
    return this.views.u8.subarray(0, this.#bytes)
  }
}
