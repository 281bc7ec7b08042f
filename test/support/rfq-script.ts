import { type EventScript, walletOf } from '../../bench/event-script.js'
import { ProviderStatus, RfqKind, type RfqStatus, Side } from '../../schemas/domain.js'
import {
  ComboFillEvent,
  ProviderEvent,
  RfqEvent,
  RfqQuoteEvent,
} from '../../schemas/generated/events.js'
import { ProviderChange, RfqChange, RfqQuoteChange } from '../../schemas/record-values.js'
import { uuidToBytes32 } from '../../schemas/signing/rfq-encoding.js'
import { writeAddress } from '../../schemas/wallet.js'

/** Returns the tests' UUID with this number. */
export function rfqUuid(number: number): string {
  return `00000000-0000-7000-8000-${number.toString(16).padStart(12, '0')}`
}

export interface RfqEntry {
  readonly rfqId: string
  readonly wallet: string
  readonly status: RfqStatus
  readonly kind?: RfqKind
  readonly quoteId?: string
  readonly fillId?: number
  readonly fallbackOrderId?: number
  readonly reason?: number
  readonly change?: RfqChange
  readonly createdMillis?: number
  readonly responseMillis?: number
  readonly expiresMillis?: number
  readonly netPremiumMicros?: number
  readonly limitMicros?: number
  readonly referenceMicros?: number
  readonly tickMicros?: number
  readonly mustImprove?: number
  /** Instrument, side, lots. */
  readonly legs?: readonly (readonly [number, Side, number])[]
}

const contract = 100_000_000

/** Publishes a request as the engine would: for the first two instruments, unless the test says otherwise. */
export function emitRfq(script: EventScript, { rfqId, wallet, ...fields }: RfqEntry): void {
  const { quoteId, legs, ...facts } = fields
  const of = legs ?? [
    [0, Side.Buy, contract],
    [1, Side.Sell, 2 * contract],
  ]
  const event = new RfqEvent()
  event.claim(script, RfqEvent.bytesWith(of.length))
  const createdMillis = script.timeMillis
  Object.assign(event, {
    ...{ kind: RfqKind.Plain, change: RfqChange.Status, createdMillis },
    ...{ responseMillis: createdMillis + 5000, expiresMillis: createdMillis + 30_000 },
    ...facts,
    count: of.length,
  })
  event.u8.set(uuid(rfqId), event.rfqIdAt)
  if (quoteId !== undefined) event.u8.set(uuid(quoteId), event.quoteIdAt)
  writeAddress(wallet, event.u8, event.walletAt)
  for (const [index, [instrument, side, sizeLots]] of of.entries()) {
    Object.assign(event.legs(index), { instrument, side, sizeLots })
  }
}

export interface QuoteEntry {
  readonly rfqId: string
  readonly quoteId: string
  readonly change?: RfqQuoteChange
  readonly netPremiumMicros?: number
  readonly pricesMicros?: readonly number[]
  readonly expiresMillis?: number
  readonly reason?: number
  readonly provider?: string
  readonly taker?: number
}

/** Taker of a sealed quote. */
export const noTaker = -1

/** Publishes a provider's quote. */
export function emitQuote(script: EventScript, { rfqId, quoteId, ...fields }: QuoteEntry): void {
  const { pricesMicros = [1_000_000, 2_000_000], provider = walletOf(0x99), ...facts } = fields
  const event = new RfqQuoteEvent()
  event.claim(script, RfqQuoteEvent.bytesWith(pricesMicros.length))
  Object.assign(event, {
    ...{ change: RfqQuoteChange.Made, madeMillis: script.timeMillis },
    ...{ expiresMillis: script.timeMillis + 10_000, netPremiumMicros: 3_000_000 },
    ...facts,
    count: pricesMicros.length,
  })
  event.u8.set(uuid(rfqId), event.rfqIdAt)
  event.u8.set(uuid(quoteId), event.quoteIdAt)
  writeAddress(provider, event.u8, event.walletAt)
  event.pricesMicrosView(pricesMicros.length).set(pricesMicros)
}

export type ProviderEntry = Partial<
  Pick<ProviderEvent, 'change' | 'status' | 'sessions' | 'gateway' | 'session'>
>

/** Publishes a provider's status: active, without a session, unless the test says otherwise. */
export function emitProvider(
  script: EventScript,
  wallet: string,
  account: number,
  fields: ProviderEntry = {},
): void {
  const event = new ProviderEvent()
  event.claim(script)
  const standing = { change: ProviderChange.Status, status: ProviderStatus.Active, sessions: 0 }
  Object.assign(event, { account, ...standing, gateway: -1, session: -1, ...fields })
  writeAddress(wallet, event.u8, event.walletAt)
}

/** Fields of an auction's fill that a combo's fill, which has no order, lacks. */
export type OrderOfFill = Partial<
  Pick<
    ComboFillEvent,
    'orderId' | 'cumFilledLots' | 'clientIdText' | 'flags' | 'builderFeeMicros' | 'positionLots'
  >
>

/** Publishes the fill of a leg, of one contract at 100. */
export function emitComboFill(
  script: EventScript,
  wallet: string,
  fillId: number,
  rfqId: string,
  quoteId: string,
  order: OrderOfFill = {},
): void {
  const event = new ComboFillEvent()
  event.claim(script)
  Object.assign(event, { fillId, tradeId: fillId >> 1, isTaker: fillId & 1 })
  Object.assign(event, { priceMicros: 100_000_000, sizeLots: contract, ...order })
  writeAddress(wallet, event.u8, event.walletAt)
  event.u8.set(uuid(rfqId), event.rfqIdAt)
  event.u8.set(uuid(quoteId), event.quoteIdAt)
}

function uuid(text: string): Uint8Array {
  return uuidToBytes32(text)!.subarray(16)
}
