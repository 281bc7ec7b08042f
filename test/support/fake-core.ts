import assert from 'node:assert/strict'
import { EventScript, type OrderFacts } from '../../bench/event-script.js'
import { type ExchangeMemory, flagWords, wakeupOf } from '../../engine/memory/exchange-memory.js'
import { Ring } from '../../engine/memory/ring.js'
import { Wakeup } from '../../engine/memory/wakeup.js'
import { OrderStatus } from '../../schemas/domain.js'
import {
  AcceptRfqQuoteCommand,
  AgentCommand,
  AnyCommand,
  AuctionTerms,
  BulkCommand,
  CancelByClientIdCommand,
  CancelOrderCommand,
  CommandType,
  IndicativeRow,
  PerpTerms,
  PlaceOrderCommand,
  SetMarginModeCommand,
  SetSelfTradeCommand,
  SetTierCommand,
  SubmitRfqCommand,
} from '../../schemas/generated/commands.js'
import { formatNonce } from '../../schemas/nonce.js'
import { PerpScheme } from '../../schemas/record-values.js'
import { formatUuid } from '../../schemas/uuid.js'
import { formatAddress, isZeroAddress } from '../../schemas/wallet.js'

/** Command as the fake core reads it; fields of other command types have no meaning. */
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
  /** Terms of a perp action: asset and expiry; null otherwise. */
  readonly perp: readonly [asset: number, expiresMillis: number] | null
  /** `PerpScheme` of the action. */
  readonly scheme: number
  /** Provider rows after an order; empty otherwise. */
  readonly shown: readonly SeenRow[]
  readonly agent: string
  readonly selfTradeMode: number
  readonly marginMode: number
  readonly tier: number
  /** Fields of a request for quote or an acceptance; null otherwise. */
  readonly rfq: SeenRfq | null
}

/** Row of a provider. */
export type SeenRow = readonly [
  account: number,
  bidMicros: number,
  askMicros: number,
  sizeLots: number,
]

/** Fields of a SubmitRfq or AcceptRfqQuote. */
export interface SeenRfq {
  readonly rfqId: string
  readonly quoteId: string
  readonly netPremiumMicros: number
  readonly kind: number
  readonly limitMicros: number
  readonly legs: readonly (readonly [strikeMicros: number, side: number, sizeLots: number])[]
}

export type Verdict = Partial<OrderFacts>
type Decide = (command: SeenCommand, core: FakeCore) => Verdict | null

const startMillis = 1_700_000_000_000

/**
 * Replaces the core, without an engine: reads the commands of all gateways, lets the test decide each, and answers with
 * `Outcome` events. It acknowledges commands that the test does not decide.
 */
export class FakeCore {
  readonly seen: SeenCommand[] = []
  /** Item count of each bulk; the items themselves appear as commands. */
  readonly bulks: number[] = []
  readonly script: EventScript
  decide: Decide = () => ({})
  /** True to leave commands in their rings. */
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

  /** Publishes the script's events and wakes the gateways. */
  tell(): void {
    this.script.commit()
    for (let gateway = 0; gateway < this.#memory.gateways; gateway++) {
      new Wakeup(this.#memory.wakeups, wakeupOf.gateway(gateway)).ring()
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
    const command = new AnyCommand().over(ring, at)
    if (command.recordType !== CommandType.Bulk) {
      this.#answer(readCommand(command))
      return
    }
    const { count, itemsAt } = new BulkCommand().of(command)
    this.bulks.push(count)
    let itemAt = itemsAt
    for (let item = 0; item < count; item++) {
      this.#answer(readCommand(command.over(ring, itemAt)))
      itemAt += command.recordBytes
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
      requester: { gateway, request, command: type },
    })
  }
}

/** Sizes of the commands that a perp action may be. */
const bytesOf: Readonly<Record<number, number>> = {
  [CommandType.PlaceOrder]: PlaceOrderCommand.bytes,
  [CommandType.CancelOrder]: CancelOrderCommand.bytes,
  [CommandType.CancelByClientId]: CancelByClientIdCommand.bytes,
}

function rowsBehind({ views, at, recordBytes, recordType }: AnyCommand): SeenRow[] {
  const isLong = recordType === CommandType.PlaceOrder && recordBytes > PlaceOrderCommand.bytes
  if (!isLong) return []
  const first = at + PlaceOrderCommand.bytes
  const { count } = new AuctionTerms().over(views, first)
  const rowsBytes = AuctionTerms.bytes + count * IndicativeRow.bytes
  assert.equal(recordBytes, PlaceOrderCommand.bytes + rowsBytes)
  return Array.from({ length: count }, (_, index): SeenRow => {
    const rowAt = first + AuctionTerms.bytes + index * IndicativeRow.bytes
    const { account, askMicros, bidMicros, sizeLots } = new IndicativeRow().over(views, rowAt)
    return [account, bidMicros, askMicros, sizeLots]
  })
}

function readCommand(command: AnyCommand): SeenCommand {
  const { u8, at, views, recordType, recordBytes, walletAt, signerAt, digestAt } = command
  const place = new PlaceOrderCommand().of(command)
  const { key, priceMicros, sizeLots, side, tif, route, flags, oldOrderId } = place
  const bytes = bytesOf[recordType] ?? Number.POSITIVE_INFINITY
  const isPerp = recordBytes === bytes + PerpTerms.bytes
  const perp = new PerpTerms().over(views, isPerp ? at + bytes : 0)
  return {
    type: recordType,
    gateway: command.gateway,
    request: command.request,
    wallet: isZeroAddress(u8, walletAt) ? null : formatAddress(u8, walletAt),
    signer: formatAddress(u8, signerAt),
    nonce: formatNonce(command.nonceHigh >>> 0, command.nonceLow >>> 0),
    digest: Buffer.from(u8.subarray(digestAt, digestAt + 32)).toString('hex'),
    underlying: key.underlyingText,
    expiryDate: key.expiryDate,
    right: key.right,
    strikeMicros: key.strikeMicros,
    ...{ priceMicros, sizeLots, side, tif, route, flags, oldOrderId },
    clientId: place.clientIdText,
    builder: formatAddress(u8, place.builderAt),
    cancelOrderId: new CancelOrderCommand().of(command).orderId,
    cancelClientId: new CancelByClientIdCommand().of(command).clientIdText,
    perp: isPerp ? [perp.asset, perp.expiresMillis] : null,
    scheme: isPerp ? perp.scheme : PerpScheme.Action,
    shown: isPerp ? [] : rowsBehind(command),
    agent: formatAddress(u8, new AgentCommand().of(command).agentAt),
    selfTradeMode: new SetSelfTradeCommand().of(command).mode,
    marginMode: new SetMarginModeCommand().of(command).mode,
    tier: new SetTierCommand().of(command).tier,
    rfq: readRfq(command),
  }
}

function readRfq(command: AnyCommand): SeenRfq | null {
  const none = { quoteId: '', netPremiumMicros: 0, kind: 0, limitMicros: 0, legs: [] }
  if (command.recordType === CommandType.SubmitRfq) {
    const submit = new SubmitRfqCommand().of(command)
    const legs = Array.from({ length: submit.count }, (_, index) => {
      const { key, side, sizeLots } = submit.legs(index)
      return [key.strikeMicros, side, sizeLots] as const
    })
    const { kind, limitMicros } = submit
    return { ...none, rfqId: formatUuid(submit.u8, submit.rfqIdAt), kind, limitMicros, legs }
  }
  if (command.recordType !== CommandType.AcceptRfqQuote) return null
  const { u8, rfqIdAt, quoteIdAt, netPremiumMicros } = new AcceptRfqQuoteCommand().of(command)
  return {
    ...none,
    rfqId: formatUuid(u8, rfqIdAt),
    quoteId: formatUuid(u8, quoteIdAt),
    netPremiumMicros,
  }
}
