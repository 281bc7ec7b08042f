import { Doorbell } from '../../engine/memory/doorbell.js'
import { doorbellOf, type ExchangeMemory, flagWords } from '../../engine/memory/exchange-memory.js'
import { recordBytesAt, recordTypeAt } from '../../engine/memory/layout.js'
import { Ring } from '../../engine/memory/ring.js'
import * as commands from '../../schemas/commands.js'
import { OrderStatus } from '../../schemas/domain.js'
import { CommandType } from '../../schemas/generated/commands.js'
import { formatNonce } from '../../schemas/nonce.js'
import { formatAddress, isZeroAddress } from '../../schemas/wallet.js'
import { EventScript, type OrderFacts } from './events.js'

/** A command as the fake core understands it; fields of other command types have no meaning. */
export interface SeenCommand {
  readonly type: number
  readonly gateway: number
  readonly request: number
  /** Null in the structs whose signer is the wallet. */
  readonly wallet: string | null
  readonly signer: string
  readonly nonce: string
  readonly digest: string
  readonly underlying: string
  readonly expiryDate: number
  readonly right: number
  readonly strikeMicros: number
  readonly priceMicros: number
  readonly sizeLots: number
  readonly side: number
  readonly tif: number
  readonly route: number
  readonly flags: number
  readonly oldOrderId: number
  readonly clientId: string
  readonly builder: string
  readonly cancelOrderId: number
  readonly cancelClientId: string
  /** Underlying of the key behind a cancel, '' of one without. */
  /** Terms of a perp action: asset and end; null of others. */
  readonly perp: readonly [asset: number, expiresMillis: number] | null
  readonly agent: string
  readonly selfTradeMode: number
  readonly marginMode: number
  readonly tier: number
}

export type Verdict = Partial<Omit<OrderFacts, 'asker'>>
type Decide = (command: SeenCommand, core: FakeCore) => Verdict | null

const startMillis = 1_700_000_000_000

/**
 * Stands where the core stands, without an engine: takes the commands of all gateways, lets the test decide
 * each, and answers with Outcome events. What the test does not decide is acknowledged.
 */
export class FakeCore {
  readonly seen: SeenCommand[] = []
  /** How many items each bulk had; the items themselves are seen as commands. */
  readonly bulks: number[] = []
  readonly script: EventScript
  decide: Decide = () => ({})
  /** While true commands stay in their rings. */
  isStalled = false
  readonly #memory: ExchangeMemory
  readonly #rings: Ring[]
  #orderId = 1000
  #timer: NodeJS.Timeout | null = null

  constructor(memory: ExchangeMemory) {
    this.#memory = memory
    this.#rings = memory.commandRings.map((ring) => new Ring(ring, 'consumer'))
    this.script = new EventScript(memory, startMillis)
  }

  /** Makes the engine ready, and works until `stop`. */
  start(): void {
    this.tell()
    Atomics.store(new Int32Array(this.#memory.flags), flagWords.ready, 1)
    this.#timer = setInterval(() => this.work(), 1)
  }

  stop(): void {
    if (this.#timer !== null) clearInterval(this.#timer)
  }

  /** Publishes what the script holds, and wakes the gateways. */
  tell(): void {
    this.script.commit()
    for (let gateway = 0; gateway < this.#memory.gateways; gateway++) {
      new Doorbell(this.#memory.doorbells, doorbellOf.gateway(gateway)).ring()
    }
  }

  work(): void {
    if (this.isStalled) return
    let count = 0
    for (const ring of this.#rings) {
      for (let at = ring.next(); at >= 0; at = ring.next()) {
        this.#take(ring, at)
        count++
      }
      ring.release()
    }
    if (count > 0) this.tell()
  }

  #take(ring: Ring, at: number): void {
    if (ring.i32[(at + recordTypeAt) >> 2] !== CommandType.Bulk) {
      this.#answer(readCommand(ring, at))
      return
    }
    const count = ring.i32[(at + commands.bulkCountAt) >> 2]
    this.bulks.push(count)
    let itemAt = at + commands.bulkItemsAt
    for (let item = 0; item < count; item++) {
      this.#answer(readCommand(ring, itemAt))
      itemAt += ring.i32[(itemAt + recordBytesAt) >> 2]
    }
  }

  #answer(command: SeenCommand): void {
    this.seen.push(command)
    const verdict = this.decide(command, this)
    if (verdict === null) return
    const { gateway, request, type } = command
    const isRefused = (verdict.result ?? 0) < 0 && verdict.status !== OrderStatus.Canceled
    this.script.order({
      orderId: isRefused ? 0 : this.#orderId++,
      wallet: command.wallet ?? command.signer,
      account: 0,
      instrument: 0,
      status: isRefused ? OrderStatus.Rejected : OrderStatus.Acked,
      priceMicros: command.priceMicros,
      sizeLots: command.sizeLots,
      ...verdict,
      asker: { gateway, request, command: type },
    })
  }
}

/** Of the commands that a perp action may be. */
const recordBytes: Readonly<Record<number, number>> = {
  [CommandType.PlaceOrder]: commands.placeOrderBytes,
  [CommandType.CancelOrder]: commands.cancelOrderBytes,
  [CommandType.CancelByClientId]: commands.cancelByClientIdBytes,
}

function readCommand(ring: Ring, at: number): SeenCommand {
  const { i32, u32, f64, u8 } = ring
  const integer = (offset: number) => i32[(at + offset) >> 2]
  const number = (offset: number) => f64[(at + offset) >> 3]
  const address = (offset: number) => formatAddress(u8, at + offset)
  const text = (offset: number, count: number) =>
    Buffer.from(u8.subarray(at + offset, at + offset + count)).toString('latin1')
  const key = commands.placeKeyAt
  const terms = recordBytes[integer(recordTypeAt)] ?? Number.POSITIVE_INFINITY
  const isPerp = integer(recordBytesAt) === terms + commands.perpTermsBytes
  const hasWallet = !isZeroAddress(u8, at + commands.commandWalletAt)
  return {
    type: integer(recordTypeAt),
    gateway: integer(commands.commandGatewayAt),
    request: integer(commands.commandRequestAt),
    wallet: hasWallet ? address(commands.commandWalletAt) : null,
    signer: address(commands.commandSignerAt),
    nonce: formatNonce(
      u32[(at + commands.commandNonceHighAt) >> 2],
      u32[(at + commands.commandNonceLowAt) >> 2],
    ),
    digest: Buffer.from(u8.subarray(at + 64, at + 96)).toString('hex'),
    underlying: text(key + commands.keyUnderlyingAt, 16).replace(/\0+$/, ''),
    expiryDate: integer(key + commands.keyExpiryDateAt),
    right: integer(key + commands.keyRightAt),
    strikeMicros: number(key + commands.keyStrikeMicrosAt),
    priceMicros: number(commands.placePriceMicrosAt),
    sizeLots: number(commands.placeSizeLotsAt),
    side: integer(commands.placeSideAt),
    tif: integer(commands.placeTifAt),
    route: integer(commands.placeRouteAt),
    flags: integer(commands.placeFlagsAt),
    oldOrderId: number(commands.placeOldOrderIdAt),
    clientId: text(commands.placeClientIdAt, integer(commands.placeClientIdBytesAt) & 127),
    builder: address(commands.placeBuilderAt),
    cancelOrderId: number(commands.cancelOrderIdAt),
    cancelClientId: text(commands.cancelClientIdAt, integer(commands.cancelClientIdBytesAt) & 127),
    perp: isPerp
      ? [integer(terms + commands.perpAssetAt), number(terms + commands.perpExpiresMillisAt)]
      : null,
    agent: address(commands.agentAddressAt),
    selfTradeMode: integer(commands.selfTradeModeAt),
    marginMode: integer(commands.marginModeAt),
    tier: integer(commands.tierAt),
  }
}
