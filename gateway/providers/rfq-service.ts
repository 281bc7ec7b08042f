import { RateCategory, RfqStatus } from '../../schemas/domain.js'
import type { OutcomeEvent, RfqEvent, RfqQuoteEvent } from '../../schemas/generated/events.js'
import { RfqChange, RfqQuoteChange } from '../../schemas/record-values.js'
import { Result, resultText } from '../../schemas/results.js'
import { typedDataDigest } from '../../schemas/signing/typed-data-digest.js'
import { formatUuid } from '../../schemas/uuid.js'
import { formatAddress, writeAddress } from '../../schemas/wallet.js'
import { typedStructs } from '../actions/typed-structs.js'
import { Admission, checkSignature, type SignedRequest } from '../admission/admission.js'
import type { GatewayContext } from '../link/gateway-context.js'
import { detailedFault, readOutcome, reasonOfEvent } from '../link/outcome.js'
import { Fault } from '../wire/fault.js'
import {
  alreadyFilledMessage,
  marginRejectionMessage,
  providerErrorMessage,
  rfqRequestMessage,
} from './provider-messages.js'
import type { ProviderSession } from './provider-session.js'
import {
  messageOf,
  parseResponse,
  type RfqQuoteResponse,
  readResponse,
  rfqIdIn,
  writeDecline,
  writeQuote,
} from './rfq-response.js'

/** Quote without an acknowledgement yet. */
interface PendingQuote {
  /** True if its provider was sent a margin rejection. */
  isMarginRejected: boolean
}

const struct = typedStructs.SubmitRFQResponse
/** Limit of quotes and declines per session that the core has not decided yet. */
export const responsesInFlightMax = 256

/**
 * RFQs for the providers of a gateway. Derives messages to providers from events, after the book has applied them, and
 * turns their responses into commands.
 */
export class RfqService {
  readonly #context: GatewayContext
  readonly #sessionsOf: (wallet: string) => readonly ProviderSession[]
  /** By wallet and RFQ, oldest first. */
  readonly #pending = new Map<string, PendingQuote[]>()
  /** Messages held until the run of events is known to be intact. */
  #held: (readonly [ProviderSession, Uint8Array])[] = []

  constructor(context: GatewayContext, sessionsOf: (wallet: string) => readonly ProviderSession[]) {
    this.#context = context
    this.#sessionsOf = sessionsOf
  }

  /** Notifies all other invited providers of an execution. */
  onRfq(event: RfqEvent): void {
    if (event.status !== RfqStatus.Executed || event.change !== RfqChange.Status) return
    const rfq = this.#context.rfqs.findRequested(formatUuid(event.u8, event.rfqIdAt))
    if (rfq === undefined) return
    const quoteId = formatUuid(event.u8, event.quoteIdAt)
    const filler = rfq.quotes.get(quoteId)?.provider
    const bytes = alreadyFilledMessage(rfq.id, quoteId)
    for (const wallet of rfq.invited) if (wallet !== filler) this.#hold(wallet, bytes)
  }

  onQuote(event: RfqQuoteEvent): void {
    const { rfqs, names } = this.#context
    const { change, u8 } = event
    const rfq = rfqs.findRequested(formatUuid(u8, event.rfqIdAt))
    if (rfq === undefined) return
    const wallet = formatAddress(u8, event.walletAt)
    if (change === RfqQuoteChange.Invited) {
      this.#hold(wallet, rfqRequestMessage(rfq, names.instruments))
    } else if (change === RfqQuoteChange.MarginRejected) {
      const quoteId = formatUuid(u8, event.quoteIdAt)
      const underlying = names.instruments.instrument(rfq.legs[0]!.instrument)?.underlying ?? ''
      const { reason } = reasonOfEvent(event.reason, event, names, { underlying })
      this.#hold(wallet, marginRejectionMessage(rfq.id, quoteId, reason))
      // A rejected quote that never was live answers the oldest pending response.
      const [pending] = rfq.quotes.has(quoteId)
        ? []
        : (this.#pending.get(keyOf(wallet, rfq.id)) ?? [])
      if (pending !== undefined) pending.isMarginRejected = true
    }
  }

  /** Sends the messages of an intact run. */
  flush(): void {
    const held = this.#held
    if (held.length === 0) return
    this.#held = []
    const now = this.#context.nowMillis()
    for (const [session, bytes] of held) session.send(bytes, now)
  }

  /** Drops held messages, which may be invalid. */
  drop(): void {
    this.#held = []
    this.#pending.clear()
  }

  /** Handles an `rfq_response`. @param bytes Valid JSON. */
  take(session: ProviderSession, bytes: Uint8Array): void {
    const { signing } = this.#context
    const frame = parseResponse(bytes)
    if (frame instanceof Fault) {
      this.#fail(session, frame)
      return
    }
    const isFull = session.responsesInFlight >= responsesInFlightMax
    const busyFault = isFull ? new Fault(Result.EngineBusy) : this.#context.refusesWrites()
    const response = busyFault ?? readResponse(frame, signing)
    if (response instanceof Fault) this.#fail(session, response, rfqIdIn(frame))
    else if (response.legs !== null) this.#quote(session, response)
    else {
      const { rfqId } = response
      const onOutcome = (event: OutcomeEvent) => {
        session.responsesInFlight--
        this.#onOutcome(session, rfqId, event)
      }
      const busy = this.#context.port.send({ onOutcome }, (sink) =>
        writeDecline(sink, session.wallet, response),
      )
      if (busy === null) session.responsesInFlight++
      else this.#fail(session, busy, rfqId)
    }
  }

  #quote(session: ProviderSession, quote: RfqQuoteResponse): void {
    const { signing, port } = this.#context
    const { wallet, socket } = session
    const { rfqId, nonce, signature } = quote
    writeAddress(wallet, signing.wallet, 0)
    const message = messageOf(quote, wallet)
    let admission: Admission | null = null
    if (message !== null) {
      signing.digest.set(typedDataDigest(signing.domain, struct, message))
      const request: SignedRequest = {
        ...{ address: socket.address, wallet, signature, category: RateCategory.ApiRequest },
        subject: { struct, message },
      }
      const unsound = checkSignature(this.#context, request)
      if (unsound === null) admission = new Admission(this.#context, request)
      else if (unsound.result !== Result.SignatureFailed) {
        this.#fail(session, unsound, rfqId)
        return
      }
    }
    const pending: PendingQuote = { isMarginRejected: false }
    const onOutcome = (event: OutcomeEvent) => {
      session.responsesInFlight--
      this.#settle(wallet, rfqId, pending)
      if (event.result === Result.Unauthorized) admission?.countFailure()
      if (!pending.isMarginRejected) this.#onOutcome(session, rfqId, event, nonce)
    }
    const busy = port.send({ onOutcome }, (sink) =>
      writeQuote(sink, signing, quote, admission !== null),
    )
    if (busy !== null) {
      this.#fail(session, busy, rfqId)
      return
    }
    session.responsesInFlight++
    this.#expect(wallet, rfqId, pending)
  }

  #onOutcome(session: ProviderSession, rfqId: string, event: OutcomeEvent, nonce = ''): void {
    const outcome = readOutcome(event, this.#context.names)
    const { result } = outcome
    if (result === Result.Accepted) return
    const underlying = this.#underlyingOf(rfqId)
    const fault =
      detailedFault(outcome) ?? new Fault(result, {}, resultText(result, { nonce, underlying }))
    this.#held.push([session, providerErrorMessage(fault, { rfq_id: rfqId })])
  }

  #underlyingOf(rfqId: string): string {
    const { rfqs, names } = this.#context
    const [first] = rfqs.findRequested(rfqId)?.legs ?? []
    return first === undefined
      ? ''
      : (names.instruments.instrument(first.instrument)?.underlying ?? '')
  }

  #hold(wallet: string, bytes: Uint8Array): void {
    for (const session of this.#sessionsOf(wallet)) this.#held.push([session, bytes])
  }

  #fail(session: ProviderSession, fault: Fault, rfqId?: string): void {
    const named = rfqId === undefined ? {} : { rfq_id: rfqId }
    session.send(providerErrorMessage(fault, named), this.#context.nowMillis())
  }

  #expect(wallet: string, rfqId: string, pending: PendingQuote): void {
    const key = keyOf(wallet, rfqId)
    const all = this.#pending.get(key)
    if (all === undefined) this.#pending.set(key, [pending])
    else all.push(pending)
  }

  #settle(wallet: string, rfqId: string, pending: PendingQuote): void {
    const key = keyOf(wallet, rfqId)
    const left = (this.#pending.get(key) ?? []).filter((other) => other !== pending)
    if (left.length === 0) this.#pending.delete(key)
    else this.#pending.set(key, left)
  }
}

function keyOf(wallet: string, rfqId: string): string {
  return `${wallet} ${rfqId}`
}
