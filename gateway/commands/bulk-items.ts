import { assert } from '../../schemas/assert.js'
import { bulkItemsMax, commandBytesMax } from '../../schemas/bounds.js'
import { AnyCommand, BulkCommand } from '../../schemas/generated/commands.js'
import { type RecordSink, viewsOf } from '../../schemas/record-views.js'
import { BodyFields } from '../wire/body-fields.js'
import type { Fault } from '../wire/fault.js'
import { invalidParameter, type JsonObject } from '../wire/request-fields.js'

/** Names of the list in the object form of a bulk body. */
export type BulkList = keyof typeof listFields

// Each item has its own signer, recovered as usual.
const signer = { 'signer?': 'any' } as const
const listFields = {
  orders: new BodyFields({ orders: 'any', ...signer }),
  replacements: new BodyFields({ replacements: 'any', ...signer }),
  cancels: new BodyFields({ cancels: 'any', ...signer }),
}

/** Items of a bulk body as received, and its form. */
export interface BulkBody {
  readonly items: readonly unknown[]
  /** True if body and answer are bare arrays. */
  readonly isBare: boolean
}

/**
 * Returns the items of a bulk body.
 * @param name Name of the list in the object form.
 * @returns `MissingField`, or `InvalidParameter` unless it is a list of 1 to 50.
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
 * Buffer for the records of a bulk while its items are checked in order; only after the last is it known whether they
 * go to the core. One per thread suffices, because a request is processed from JSON to the command ring without a
 * pause.
 */
export class BulkItems implements RecordSink {
  readonly views = viewsOf(new ArrayBuffer(itemBytesMax & ~7))
  #bytes = 0

  clear(): void {
    this.#bytes = 0
  }

  /** Claims a zeroed record after the last, with length and type in its header. */
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

  /** Returns the records so far, back to back. */
  records(): Uint8Array {
    return this.views.u8.subarray(0, this.#bytes)
  }
}
