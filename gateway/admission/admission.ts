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

/** Signed request with valid fields. Its digest is in the thread's `Signing`. */
export interface SignedRequest {
  /** Address bytes of the client. */
  readonly address: Uint8Array
  /** Lower-case text of the acting wallet; '' if only the signature identifies it. */
  readonly wallet: string
  readonly signature: string
  /** Signed content, for the details of an error. */
  readonly subject: SignedSubject
  readonly category: RateCategory
  /** True for revocations and mode changes. A used-up window of the wallet does not block its owner from them. */
  readonly isOwnersResort?: boolean
  /** True if only the owner may sign, so that an agent counts as a stranger. */
  readonly isOwnersOnly?: boolean
  /** True for a trading directive, which an API wallet may also sign. */
  readonly isTradingDirective?: boolean
}

/** Returns an order or cancel as a signed request. */
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
 * Checks the signature, the authorization and the rate limit of a signed write, in this order. The core decides whatever
 * this gateway cannot know for certain; such a request is not counted yet.
 * @returns the admission, or `SignatureFailed`, `Unauthorized`, `NoAccount` or `RateLimitExceeded`.
 */
export function admit(context: GatewayContext, request: SignedRequest): Admission | Fault {
  const unsound = checkSignature(context, request)
  return unsound ?? admitSigner(context, request)
}

/** Admits an order or a cancel like `admit`, and records its refusal. */
export function admitOrder(
  context: GatewayContext,
  subject: OrderRequest | CancelRequest,
  address: Uint8Array,
): Admission | Fault {
  const admission = admit(context, signedOrder(subject, address))
  if (admission instanceof Fault) keepRefusal(context, subject, admission)
  return admission
}

/** Does the checks of `admit` after the signature. The signer is in the thread's `Signing`. */
export function admitSigner(context: GatewayContext, request: SignedRequest): Admission | Fault {
  const admission = new Admission(context, request)
  const refused = admission.isKnown ? admission.take() : admission.refuse()
  if (refused !== null) return refused
  if (admission.isKnown) context.arrivals.earn(request.wallet)
  return admission
}

/**
 * Recovers the signer into the thread's `Signing` within the allowance of the client's address. After too many failures
 * from that address, signers of wallets with an account still pass. Others may share the address, in an office or
 * behind an unconfigured proxy, and a stranger's failures must not prevent a wallet's cancels.
 */
export function checkSignature(context: GatewayContext, request: SignedRequest): Fault | null {
  const { signing, limits, nowMillis } = context
  const client = addressKeyOf(request.address)
  const takenMillis = nowMillis()
  const blocked = limits.refusesRecovery(client, takenMillis)
  if (blocked !== null && !limits.takeRecovery(client, request, takenMillis)) return blocked
  context.port.timestamps.check()
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

/** Relation of a request's signer to its wallet, according to the events that this gateway has read. */
const Standing = { Stranger: 0, Unopened: 1, Known: 2 } as const
type Standing = (typeof Standing)[keyof typeof Standing]

/** Accounting of one signed request with the limits, from its signature to its answer. */
export class Admission {
  /** State of the wallet's window after this request; null while the request is not counted. */
  verdict: RateVerdict | null = null
  /** True for an order of a wallet without an account. The gateway rejects it for its funds, without the core. */
  lacksAccount = false
  readonly #context: GatewayContext
  readonly #request: SignedRequest
  readonly #standing: Standing
  #takenMillis = 0
  /** Details of a signature whose signer only the core can judge. */
  #details: Fault['details'] = null

  /** Reads the signer in the thread's `Signing`. */
  constructor(context: GatewayContext, request: SignedRequest) {
    this.#context = context
    this.#request = request
    this.#standing = standingOf(context, request)
  }

  /** True if the wallet has an account and the signer may act for it. */
  get isKnown(): boolean {
    return this.#standing === Standing.Known
  }

  /**
   * Takes one from the wallet's window. If the window is used up, an owner's last resort counts against the client's
   * address instead, so that agents cannot lock out the owner.
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
   * Fails a request of an unknown signer if this gateway has read every published event. So requests of strangers and
   * of wallets without an account never reach the core. An order is rejected instead: see `lacksAccount`.
   * @returns the error; null if the core must decide, or if the order is to be rejected.
   */
  refuse(): Fault | null {
    const { isOwnersOnly = false } = this.#request
    const isStranger = this.#standing === Standing.Stranger
    // The core does not check whether an agent may sign such a request at all.
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

  /** Records that a bulk request took from the wallet's window at `takenMillis`. */
  counted(verdict: RateVerdict, takenMillis: number): void {
    this.verdict = verdict
    this.#takenMillis = takenMillis
  }

  /** Returns the error for a signer who may not act for the wallet, or null. For requests that never reach the core. */
  refuseUnknown(): Fault | null {
    return this.#standing === Standing.Stranger ? this.refuseStranger() : null
  }

  /** Returns the error for a signer who is a stranger to the wallet. Counts a failure of the client's address. */
  refuseStranger(): Fault {
    this.countFailure()
    return signatureFault(Result.Unauthorized, this.#signatureDetails())
  }

  /** Returns the core's error, with the signed content if the signer is a stranger. */
  explain(fault: Fault): Fault {
    const isStranger = fault.result === Result.Unauthorized && this.#details !== null
    return isStranger ? signatureFault(fault.result, this.#details) : fault
  }

  /**
   * Settles the counts after the core's decision. A request of an agent unknown to this gateway counts now, as far as
   * the window allows; a request of a former agent is refunded. Signatures of strangers, of wallets without an account
   * and of wallets without funds count as failures of the client's address.
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
      this.verdict.isAllowed = true // an executed request is never answered with 429
    }
  }

  /** Lower-case text of the acting wallet. */
  get wallet(): string {
    return this.#request.wallet
  }

  /** Headers of the answer; none if the request did not count. */
  get headers(): HeaderList {
    return rateHeaders(this.verdict)
  }

  /** Returns true if the wallet has an account now. The events of the core's decision have been read. */
  #hasAccount(): boolean {
    if (this.#standing === Standing.Known) return true
    return this.#context.limits.directory.hasAccount(this.#request.wallet)
  }

  /** Requires that digest and signer are in the thread's `Signing`. */
  #signatureDetails(): Fault['details'] {
    return signatureDetails(this.#context, this.#request.subject, true)
  }

  #isOwnersResort(): boolean {
    const { isOwnersResort = false, wallet } = this.#request
    return isOwnersResort && this.#context.signing.signerText() === wallet
  }

  /**
   * Counts a failure of the client's address, like a failed recovery. A write accepted for a wallet without funds also
   * counts, because anybody can make such wallets.
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
