import { OrderDigester } from '../gateway/actions/order-digest.js'
import { fastKeccak256 as keccak256 } from '../gateway/auth/fast-keccak.js'
import { nativeSecp256k1 } from '../gateway/auth/native-secp256k1.js'
import { recoverSigner, recoveryPath } from '../gateway/auth/recover-signer.js'
import { recoverSignerWasm } from '../gateway/auth/recover-signer-wasm.js'
import { forgetTexts } from '../gateway/auth/text-hasher.js'
import { createNativeSigner } from '../gateway/maker/native-signer.js'
import { assert } from '../schemas/assert.js'
import { formatHex } from '../schemas/hex.js'
import { keccak256Reference } from '../schemas/signing/keccak-reference.js'
import { parseSignature, recoveryBit, recoveryByteAt } from '../schemas/signing/signature.js'
import type { SigningDomain } from '../schemas/typed-data.js'
import { addressBytes, sameAddress, writeAddress } from '../schemas/wallet.js'
import { type BenchResult, ratioOf, spread, type Threshold } from './measure/bench-result.js'
import { type TimedTask, timeByTurns } from './measure/timed-task.js'
import { recoverSignerNoble } from './recover-signer-noble.js'

/** Texts of an order as in a request body, and the two halves of its nonce. */
interface OrderBody {
  readonly walletText: string
  readonly symbol: string
  readonly side: string
  readonly size: string
  readonly price: string
  readonly tif: string
  readonly route: string
  readonly clientId: string
  readonly nonceHigh: number
  readonly nonceLow: number
  readonly signature: string
}

interface SignedOrder extends OrderBody {
  readonly digest: Uint8Array
  readonly compact: Uint8Array
  readonly recovery: number
}

/** Implementation under comparison. */
interface Contender {
  readonly name: string
  readonly ordersPerTurn: number
  readonly run: (orders: readonly SignedOrder[]) => void
}

/** Contender with its rates, one per turn. */
interface Rated extends Contender {
  readonly ratesPerSecond: readonly number[]
}

const domain: SigningDomain = { name: 'Strikebook', version: '1', chainId: 31337 }
const orderCount = 2_000
const symbolCount = 200
const walletCount = 16
const ordersPerTurn = 400
const ordersPerTurnWasm = 100
const ordersPerTurnNoble = 20 // about as long as a turn of the native paths
const turnsMin = 3

const digest = new Uint8Array(32)
const signature = new Uint8Array(65)
const address = new Uint8Array(addressBytes)
const publicKey = new Uint8Array(65)
const fields = {
  ...{ wallet: new Uint8Array(addressBytes), symbol: '', side: '', size: '', price: '', tif: '' },
  ...{ orderId: '', route: '', clientId: '', reduceOnly: false, nonceHigh: 0, nonceLow: 0 },
}

/**
 * Compares, in one run and in turns of some milliseconds: the recovery of precomputed digests by the bare native library,
 * the whole check of a PlaceOrder, and the same check with the fallbacks, WebAssembly and plain JavaScript. The check
 * parses address and signature, computes the digest, recovers the signer and compares it with the wallet. Every order has
 * its own price, size, client id and nonce. Cached sizes and prices are cleared before each turn; symbols stay cached, as
 * in a gateway.
 * @param options.millis approximate duration.
 * @returns median rates in operations per second, and two ratios with the hash of all digests, which an optimization must
 *   not change.
 */
export function runSignatureBench(options: { readonly millis: number }): BenchResult[] {
  const orders = signOrders()
  const contenders = contendersOf()
  const tasks = contenders.map((contender) => taskOf(contender, orders))
  const nanos = timeByTurns(tasks, { warmUps: 1, turns: turnsMin, millis: options.millis })
  const rated: Rated[] = contenders.map((contender, index) => ({
    ...contender,
    ratesPerSecond: nanos[index]!.map((turn) => (contender.ordersPerTurn / turn) * 1e9),
  }))
  const hash = formatHex(keccak256(Buffer.concat(orders.map((order) => order.digest))), 0, 8)
  const [bare, checked, , noble] = rated as [Rated, Rated, Rated, Rated]
  return [
    ...rated.map(rateRow),
    ratioRow('over bare-native', checked, bare, hash, { atLeast: 0.85 }),
    ratioRow('over noble', checked, noble, hash, { atLeast: 20 }),
  ]
}

/** Measures bare native recoveries per second in one thread. @param millis approximate duration. */
export function recoveriesPerSecond(millis: number): number {
  recoveryOrders ??= signOrders()
  const orders = recoveryOrders
  const [turns] = timeByTurns([{ run: () => recoverBare(orders) }], {
    warmUps: 0,
    turns: 1,
    millis,
  })
  const nanos = turns!.reduce((sum, turn) => sum + turn)
  return (orders.length * turns!.length * 1e9) / nanos
}

let recoveryOrders: readonly SignedOrder[] | null = null

function contendersOf(): Contender[] {
  const digester = new OrderDigester(domain, keccak256)
  const reference = new OrderDigester(domain, keccak256Reference)
  return [
    {
      name: 'signatures.bare-native',
      ordersPerTurn,
      run: recoverBare,
    },
    {
      name: 'signatures.place-order',
      ordersPerTurn,
      run: (orders) => checkOrders(orders, digester, recoverSigner),
    },
    {
      name: 'signatures.place-order-wasm',
      ordersPerTurn: ordersPerTurnWasm,
      run: (orders) => checkOrders(orders, digester, recoverSignerWasm),
    },
    {
      name: 'signatures.place-order-noble',
      ordersPerTurn: ordersPerTurnNoble,
      run: (orders) => checkOrders(orders, reference, recoverSignerNoble),
    },
  ]
}

/** Returns a task that takes other orders each turn. */
function taskOf({ ordersPerTurn, run }: Contender, orders: readonly SignedOrder[]): TimedTask {
  let turn = 0
  let batch: readonly SignedOrder[] = []
  return {
    prepare: () => {
      const start = (turn++ * ordersPerTurn) % (orders.length - ordersPerTurn + 1)
      batch = orders.slice(start, start + ordersPerTurn)
    },
    run: () => run(batch),
  }
}

function recoverBare(orders: readonly SignedOrder[]): void {
  assert(nativeSecp256k1 !== null, 'bench: the native library did not load')
  for (const order of orders) {
    nativeSecp256k1.ecdsaRecover(order.compact, order.recovery, order.digest, false, publicKey)
  }
}

function checkOrders(
  orders: readonly SignedOrder[],
  digester: OrderDigester,
  recover: typeof recoverSigner,
): void {
  forgetTexts(digester.numbers)
  for (const order of orders) {
    let isSound = writeAddress(order.walletText, fields.wallet, 0)
    fields.symbol = order.symbol
    fields.side = order.side
    fields.size = order.size
    fields.price = order.price
    fields.tif = order.tif
    fields.route = order.route
    fields.clientId = order.clientId
    fields.nonceHigh = order.nonceHigh
    fields.nonceLow = order.nonceLow
    digester.order(fields, digest)
    isSound = parseSignature(order.signature, signature) && isSound
    isSound = recover(digest, signature, address) && isSound
    assert(
      isSound && sameAddress(address, 0, fields.wallet, 0),
      'bench: a signature did not verify',
    )
  }
}

/** Signs orders like those of a market maker: 200 symbols, and all other fields differ. */
function signOrders(): SignedOrder[] {
  const digester = new OrderDigester(domain, keccak256)
  const signers = Array.from({ length: walletCount }, (_, i) =>
    createNativeSigner((BigInt(i) + 0x5bd1e995n).toString(16).padStart(64, '0')),
  )
  return Array.from({ length: orderCount }, (_, i) => {
    const signer = signers[i % walletCount]!
    const terms = {
      symbol: `BTC-20261002-${60_000 + (i % symbolCount) * 500}-${i % 2 === 0 ? 'C' : 'P'}`,
      side: i % 2 === 0 ? 'Buy' : 'Sell',
      size: `${i + 1}.25`,
      price: `${10_000 + i}`,
      tif: 'gtc',
      route: i % 4 === 0 ? 'best_execution' : 'book_only',
      clientId: `quote-${i}`,
      nonceHigh: 416_000 + i,
      nonceLow: (i * 2_654_435_761) >>> 0,
    }
    const order = { ...terms, orderId: '', wallet: signer.addressBytes, reduceOnly: false }
    digester.order(order, digest)
    const text = signer.sign(digest)
    parseSignature(text, signature)
    const body = { ...terms, walletText: signer.address, signature: text }
    return {
      // Through JSON, like a request: concatenated strings are slower to read.
      ...(JSON.parse(JSON.stringify(body)) as OrderBody),
      digest: Uint8Array.from(digest),
      compact: signature.slice(0, recoveryByteAt),
      recovery: recoveryBit(signature[recoveryByteAt]),
    }
  })
}

function rateRow(contender: Rated): BenchResult {
  const rates = contender.ratesPerSecond
  const { ordersPerTurn } = contender
  const extra = { turns: rates.length, ordersPerTurn, recovery: recoveryPath }
  return { name: contender.name, unit: 'ops/s', ...spread(rates), extra }
}

/** Returns the ratio by pairs of turns, because a slow machine slows down both. */
function ratioRow(
  words: string,
  above: Rated,
  below: Rated,
  hash: string,
  threshold: Threshold,
): BenchResult {
  const row = { name: `${above.name} ${words}`, extra: { digests: hash }, threshold }
  return ratioOf(row, above.ratesPerSecond, below.ratesPerSecond)
}
