import { assert } from '../../schemas/assert.js'
import { orderStructs } from '../../schemas/interface/order-bodies.js'
import type { Keccak } from '../../schemas/signing/keccak.js'
import { cancelStructName, orderStructName } from '../../schemas/signing/order-actions.js'
import { domainSeparator, typeHash } from '../../schemas/signing/typed-data-digest.js'
import type { SigningDomain, StructType } from '../../schemas/typed-data.js'
import { addressBytes } from '../../schemas/wallet.js'
import {
  createTextHasher,
  createWordBuffer,
  type TextHasher,
  type WordBuffer,
  wordBytes,
  writeFreshTextHash,
  writeTextHash,
} from '../auth/text-hasher.js'

/** Signed fields of a new order or replacement. Texts are those received: `100` and `100.0` differ. */
export interface OrderFields extends CancelFields {
  readonly symbol: string
  readonly side: string
  readonly size: string
  readonly price: string
  readonly tif: string
  /** Null if the JSON has no route, as in a replacement. A reduce-only new order always has one. */
  readonly route: string | null
  readonly reduceOnly: boolean
}

/** Signed fields of a cancel. */
export interface CancelFields {
  /** 20 bytes. */
  readonly wallet: Uint8Array
  /**
   * Order to replace or cancel, decimal text without leading zeros; '' for a new order, and for a cancel by client id.
   */
  readonly orderId: string
  /** '' if the JSON has none. */
  readonly clientId: string
  readonly nonceHigh: number
  readonly nonceLow: number
}

/** Struct in memory: the type hash, then one word of 32 bytes per field. */
interface Layout extends WordBuffer {
  readonly view: DataView
}

const addressOffset = wordBytes - addressBytes
const nonceOffset = wordBytes - 8
const structHashAt = 34 // after 0x1901 and the domain separator
// For symbols, sides, times in force and routes, of which a few thousand are in use at a time.
const nameSlots = 4096
// Sizes and prices repeat less, so they get a small table of their own and never evict a symbol.
const numberSlots = 512

/**
 * Computes EIP-712 digests of the structs that are signed most, equal to `typedDataDigest` and several times as fast:
 * it reuses every buffer, and caches hashes of repeated texts.
 *
 * Every method writes 32 bytes to the start of `out`, and retains no argument. A nonce is two unsigned 32-bit halves.
 */
export class OrderDigester {
  readonly keccak: Keccak
  readonly names: TextHasher
  readonly numbers: TextHasher
  /** 0x1901 ‖ domain separator ‖ struct hash. */
  readonly signed: Uint8Array
  readonly layouts: Readonly<Record<keyof typeof orderStructs, Layout>>

  /** Allocates 0.3 MB of hash tables. Each thread needs its own digester. */
  constructor(domain: SigningDomain, keccak: Keccak) {
    this.keccak = keccak
    this.names = createTextHasher(keccak, nameSlots)
    this.numbers = createTextHasher(keccak, numberSlots)
    this.signed = new Uint8Array(structHashAt + wordBytes)
    this.signed.set([0x19, 0x01])
    this.signed.set(domainSeparator(domain), 2)
    this.layouts = {
      PlaceOrder: layoutOf(orderStructs.PlaceOrder),
      PlaceOrderWithoutRoute: layoutOf(orderStructs.PlaceOrderWithoutRoute),
      PlaceOrderReduceOnly: layoutOf(orderStructs.PlaceOrderReduceOnly),
      ReplaceOrder: layoutOf(orderStructs.ReplaceOrder),
      ReplaceOrderReduceOnly: layoutOf(orderStructs.ReplaceOrderReduceOnly),
      CancelOrder: layoutOf(orderStructs.CancelOrder),
      CancelOrderByClientId: layoutOf(orderStructs.CancelOrderByClientId),
    }
  }

  /** Digests PlaceOrder with or without a route, PlaceOrderReduceOnly, ReplaceOrder or ReplaceOrderReduceOnly. */
  order(order: OrderFields, out: Uint8Array): void {
    const { orderId, route, reduceOnly } = order
    assert(
      orderId !== '' || !reduceOnly || route !== null,
      'order digest: reduce-only is signed with a route',
    )
    const layout = this.layouts[orderStructName(order)]
    writeAddressWord(layout, 1, order.wallet)
    let word = 2
    if (orderId !== '') writeFreshTextHash(this.names, orderId, layout, word++)
    word = this.writeTerms(layout, word, order)
    if (route !== null) writeTextHash(this.names, route, layout, word++)
    writeFreshTextHash(this.names, order.clientId, layout, word++)
    if (reduceOnly) layout.bytes[++word * wordBytes - 1] = 1
    this.finish(layout, word, order, out)
  }

  /** Digests CancelOrder or CancelOrderByClientId. */
  cancel(cancel: CancelFields, out: Uint8Array): void {
    const { orderId, clientId } = cancel
    const layout = this.layouts[cancelStructName(cancel)]
    writeAddressWord(layout, 1, cancel.wallet)
    writeFreshTextHash(this.names, orderId === '' ? clientId : orderId, layout, 2)
    this.finish(layout, 3, cancel, out)
  }

  /** Writes symbol, side, size, price and time in force, starting at `word`. Returns the next word. */
  private writeTerms(layout: Layout, word: number, order: OrderFields): number {
    writeTextHash(this.names, order.symbol, layout, word)
    writeTextHash(this.names, order.side, layout, word + 1)
    writeTextHash(this.numbers, order.size, layout, word + 2)
    writeTextHash(this.numbers, order.price, layout, word + 3)
    writeTextHash(this.names, order.tif, layout, word + 4)
    return word + 5
  }

  private finish(layout: Layout, word: number, signed: CancelFields, out: Uint8Array): void {
    const nonceAt = word * wordBytes + nonceOffset
    layout.view.setUint32(nonceAt, signed.nonceHigh)
    layout.view.setUint32(nonceAt + 4, signed.nonceLow)
    this.signed.set(this.keccak(layout.bytes), structHashAt)
    out.set(this.keccak(this.signed))
  }
}

function layoutOf(struct: StructType): Layout {
  const words = createWordBuffer(1 + struct.fields.length)
  words.bytes.set(typeHash(struct))
  return { ...words, view: new DataView(words.bytes.buffer) }
}

function writeAddressWord(layout: Layout, word: number, address: Uint8Array): void {
  const bytes = layout.bytes
  const at = word * wordBytes + addressOffset
  for (let i = 0; i < addressBytes; i++) bytes[at + i] = address[i]
}
