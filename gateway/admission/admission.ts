import { RateCategory, rateCategoryNames } from '../../schemas/domain.js'
import { Result } from '../../schemas/results.js'
import type { CancelRequest } from '../commands/cancel-request.js'
import { OrderRequest } from '../commands/order-request.js'
import { addressKeyOf } from '../limits/address-limits.js'
import { RateLimitFault, rateHeaders } from '../limits/rate-limit-fault.js'
import type { RateVerdict } from '../limits/rate-windows.js'
import type { GatewayContext } from '../link/gateway-context.js'
import type { HeaderList } from '../transport/transport.js'
import { Fault } from '../wire/fault.js'
import { keepRefusal } from './kept-refusals.js'
import { type SignedSubject, signatureDetails, signatureFault } from './signature-details.js'

/** A signed request whose fields are sound and whose digest stands in the thread's `Signing`. */
export interface SignedRequest {
  /** Address bytes of the client. */
  readonly address: Uint8Array
  /** Lower-case text of the wallet that acts; '' where only the signature tells. */
  readonly wallet: string
  readonly signature: string
  /** What was hashed, for the details of a refusal. */
  readonly subject: SignedSubject
  readonly category: RateCategory
  /** Revocations and changes of mode: no window of the wallet keeps its owner from them. */
  readonly isOwnersResort?: boolean
  /** Whether an agent of the wallet is a stranger to it here. */
  readonly isOwnersOnly?: boolean
  /** Whether it was signed as a directive for trading, as keys of the wallet for that may. */
  readonly isTradingDirective?: boolean
}

/** An order or a cancel as the limits look at it. */
export function signedOrder(
  subject: OrderRequest | CancelRequest,
  address: Uint8Array,
): SignedRequest {
  const { walletText: wallet, signature, isOwnersOnly } = subject
  const isOrder = subject instanceof OrderRequest
  const category = isOrder ? RateCategory.OrderPlacement : RateCategory.OrderCancellation
  return { address, wallet, signature, subject, category, isOwnersOnly }
}

/**
 * Signature, authorisation, rate limit: the checks of a signed write between its values and the engine, in this
 * order. What this gateway cannot know for sure is left to the core, uncounted so far.
 * @returns the admission, or `SignatureFailed`, `Unauthorized`, `NoAccount` or `RateLimitExceeded`.
 */
export function admit(context: GatewayContext, request: SignedRequest): Admission | Fault {
  const unsound = checkSignature(context, request)
  return unsound ?? admitSigner(context, request)
}

/** The same of an order or a cancel; that it is refused is kept. */
export function admitOrder(
  context: GatewayContext,
  subject: OrderRequest | CancelRequest,
  address: Uint8Array,
): Admission | Fault {
  const admission = admit(context, signedOrder(subject, address))
  if (admission instanceof Fault) keepRefusal(context, subject, admission)
  return admission
}

/** `admit` behind the signature: its signer stands in the thread's `Signing`. */
export function admitSigner(context: GatewayContext, request: SignedRequest): Admission | Fault {
  const admission = new Admission(context, request)
  const refused = admission.isKnown ? admission.take() : admission.refuse()
  if (refused !== null) return refused
  if (admission.isKnown) context.arrivals.earn(request.wallet)
  return admission
}

/**
 * Recovers the signer into the thread's `Signing`, if this client may have one more recovered. Whose address has used
 * its failures up may still speak for a wallet that has an account: others share the address, behind a proxy that
 * nobody has configured or in one office, and no stranger's failures may keep a wallet from its cancels.
 */
export function checkSignature(context: GatewayContext, request: SignedRequest): Fault | null {
  const { signing, limits, nowMillis } = context
  const client = addressKeyOf(request.address)
  const takenMillis = nowMillis()
  const blocked = limits.refusesRecovery(client, takenMillis)
  if (blocked !== null && !limits.takeRecovery(client, request, takenMillis)) return blocked
  context.port.stamps.check()
  const unsound = signing.recover(request.signature)
  if (unsound !== null) limits.countFailure(client, nowMillis())
  else if (blocked !== null && standingOf(context, request) === Standing.Known) {
    limits.refundRecovery(client, request, takenMillis)
  }
  return unsound === null
    ? null
    : signatureFault(
        unsound.result,
        signatureDetails(context, request.subject, false),
        unsound.message,
      )
}

/** How the signer of a request stands to its wallet, as far as a gateway has read. */
const Standing = { Stranger: 0, Unopened: 1, Known: 2 } as const
type Standing = (typeof Standing)[keyof typeof Standing]

/** How one signed request stands with the limits, from its signature to its answer. */
export class Admission {
  /** State of the wallet's window behind this request; null while it is not counted. */
  verdict: RateVerdict | null = null
  /** An order of a wallet without an account: to be rejected for its funds, without the core. */
  lacksAccount = false
  readonly #context: GatewayContext
  readonly #request: SignedRequest
  readonly #standing: Standing
  #takenMillis = 0
  /** Of a signer whom this gateway does not know, and the core is to judge. */
  #details: Fault['details'] = null

  /** Looks at the signer in the thread's `Signing`. */
  constructor(context: GatewayContext, request: SignedRequest) {
    this.#context = context
    this.#request = request
    this.#standing = standingOf(context, request)
  }

  /** Whether the wallet has an account and the signer is known to act for it. */
  get isKnown(): boolean {
    return this.#standing === Standing.Known
  }

  /**
   * Takes one from the wallet's window. What an owner must be able to do whatever its agents have used up is taken
   * from a budget of its client's address then.
   * @returns `RateLimitExceeded`, or null.
   */
  take(): RateLimitFault | null {
    const { limits, nowMillis } = this.#context
    const { wallet, category } = this.#request
    this.#takenMillis = nowMillis()
    const verdict = limits.take(wallet, category, 1, this.#takenMillis)
    this.verdict = verdict
    if (!verdict.isAllowed && this.#isOwnersResort()) {
      const client = addressKeyOf(this.#request.address)
      verdict.isAllowed = limits.takeOwnersResort(client, this.#takenMillis)
    }
    return verdict.isAllowed ? null : new RateLimitFault(rateCategoryNames[category], verdict)
  }

  /**
   * What this gateway can say to a signer that it does not know, having read all that anybody has been told:
   * so strangers, and wallets without an account, never reach the core. An order is rejected instead, see
   * `lacksAccount`.
   */
  refuse(): Fault | null {
    const { isOwnersOnly = false } = this.#request
    const isStranger = this.#standing === Standing.Stranger
    // Of what an agent may not sign at all, the core does not know.
    if (isStranger && isOwnersOnly) return this.refuseStranger()
    if (!this.#context.isCaughtUp()) {
      if (isStranger) this.#details = this.#signatureDetails()
      return null
    }
    if (isStranger) return this.refuseStranger()
    this.countFailure()
    if (this.#request.category !== RateCategory.OrderPlacement) return new Fault(Result.NoAccount)
    this.lacksAccount = true
    return null
  }

  /** The wallet's window was taken from at `takenMillis`, by a request of several items. */
  counted(verdict: RateVerdict, takenMillis: number): void {
    this.verdict = verdict
    this.#takenMillis = takenMillis
  }

  /** Refuses, where the core is not asked at all, whoever is not known to act for the wallet. */
  refuseUnknown(): Fault | null {
    return this.#standing === Standing.Stranger ? this.refuseStranger() : null
  }

  /** The signer is a stranger to the wallet that the request is for: that costs its client's address. */
  refuseStranger(): Fault {
    this.countFailure()
    return signatureFault(Result.Unauthorized, this.#signatureDetails())
  }

  /** The core's refusal, with what was hashed where it is that of a stranger. */
  explain(fault: Fault): Fault {
    const isStranger = fault.result === Result.Unauthorized && this.#details !== null
    return isStranger ? signatureFault(fault.result, this.#details) : fault
  }

  /**
   * The core has decided. An agent of whom this gateway did not know is counted now, as far as the window
   * allows, and one who is no agent any more is not; signatures of strangers and of wallets without funds cost
   * their client's address, and those without an account cost nothing else.
   */
  onDecision(result: Result): void {
    const isStranger = result === Result.Unauthorized
    const isUnopened = result === Result.NoAccount || !this.#hasAccount()
    if (isStranger || isUnopened || result === Result.NoFunds) this.countFailure()
    const { limits, nowMillis } = this.#context
    const { wallet, category } = this.#request
    if (isStranger && this.verdict !== null) {
      limits.refund(wallet, category, 1, this.#takenMillis)
      this.verdict = null
    } else if (!isStranger && !isUnopened && this.verdict === null) {
      this.verdict = limits.take(wallet, category, 1, nowMillis())
      this.verdict.isAllowed = true // what was done is never answered like a 429
    }
  }

  /** Lower-case text of the wallet that acts. */
  get wallet(): string {
    return this.#request.wallet
  }

  /** Headers of the answer; none when the request did not count. */
  get headers(): HeaderList {
    return rateHeaders(this.verdict)
  }

  /** By now, which is behind the events of what the core has decided. */
  #hasAccount(): boolean {
    if (this.#standing === Standing.Known) return true
    return this.#context.limits.directory.hasAccount(this.#request.wallet)
  }

  /** While digest and signer stand in the thread's `Signing`. */
  #signatureDetails(): Fault['details'] {
    return signatureDetails(this.#context, this.#request.subject, true)
  }

  #isOwnersResort(): boolean {
    const { isOwnersResort = false, wallet } = this.#request
    return isOwnersResort && this.#context.signing.signerText() === wallet
  }

  /**
   * The request costs its client's address what a failed recovery costs. So does a write that was accepted for a wallet
   * without funds: anybody can make such wallets.
   */
  countFailure(): void {
    const { limits, nowMillis } = this.#context
    limits.countFailure(addressKeyOf(this.#request.address), nowMillis())
  }
}

function standingOf({ signing, limits }: GatewayContext, request: SignedRequest): Standing {
  const { directory } = limits
  const { wallet, isOwnersOnly = false, isTradingDirective = false } = request
  const signer = signing.signerText()
  if (signer !== wallet && isOwnersOnly) return Standing.Stranger
  if (signer !== wallet) {
    const mayAct =
      directory.agentsOf(wallet).has(signer) ||
      (isTradingDirective && directory.isApiWallet(wallet, signer))
    return mayAct ? Standing.Known : Standing.Stranger
  }
  return directory.hasAccount(wallet) ? Standing.Known : Standing.Unopened
}
