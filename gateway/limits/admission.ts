import { Result } from '../../schemas/results.js'
import { Fault } from '../fault.js'
import type { GatewayContext } from '../gateway-context.js'
import type { HeaderList } from '../transport.js'
import { addressKeyOf } from './address-limits.js'
import { RateLimitFault, rateHeaders } from './rate-limit-fault.js'
import { type RateCategory, type RateVerdict, rateCategoryNames } from './rate-windows.js'

/** A signed request whose fields are sound and whose digest stands in the thread's `Signing`. */
export interface SignedRequest {
  /** Address bytes of the client. */
  readonly address: Uint8Array
  /** Lower-case text of the wallet that acts; '' where only the signature tells. */
  readonly wallet: string
  readonly signature: string
  readonly category: RateCategory
}

/**
 * Signature, authorisation, rate limit: the checks of a signed write between its values and the engine, in this
 * order. A signer who is neither the wallet nor an agent known here is left to the core, uncounted so far.
 * @returns the admission, or `RateLimitExceeded` or `SignatureFailed`.
 */
export function admit(context: GatewayContext, request: SignedRequest): Admission | Fault {
  const unsound = checkSignature(context, request)
  if (unsound !== null) return unsound
  const admission = new Admission(context, request)
  return (admission.isKnown ? admission.take() : null) ?? admission
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
  const unsound = signing.recover(request.signature)
  if (unsound !== null) limits.countFailure(client, nowMillis())
  else if (blocked !== null && isAuthorised(context, request.wallet)) {
    limits.refundRecovery(client, request, takenMillis)
  }
  return unsound
}

/** How one signed request stands with the limits, from its signature to its answer. */
export class Admission {
  /** Whether the signer is known to act for the wallet. */
  readonly isKnown: boolean
  /** State of the wallet's window behind this request; null while it is not counted. */
  verdict: RateVerdict | null = null
  readonly #context: GatewayContext
  readonly #request: SignedRequest
  #takenMillis = 0

  /** Looks at the signer in the thread's `Signing`. */
  constructor(context: GatewayContext, request: SignedRequest) {
    this.#context = context
    this.#request = request
    this.isKnown = isAuthorised(context, request.wallet)
  }

  /** Takes one from the wallet's window. @returns `RateLimitExceeded`, or null. */
  take(): RateLimitFault | null {
    const { limits, nowMillis } = this.#context
    const { wallet, category } = this.#request
    this.#takenMillis = nowMillis()
    const verdict = limits.take(wallet, category, 1, this.#takenMillis)
    this.verdict = verdict
    return verdict.isAllowed ? null : new RateLimitFault(rateCategoryNames[category], verdict)
  }

  /** The wallet's window was taken from at `takenMillis`, by a request of several items. */
  counted(verdict: RateVerdict, takenMillis: number): void {
    this.verdict = verdict
    this.#takenMillis = takenMillis
  }

  /** Refuses, before the core is asked, whoever is not known to act for the wallet. */
  refuseUnknown(): Fault | null {
    if (this.isKnown) return null
    this.#countFailure()
    return new Fault(Result.Unauthorized)
  }

  /**
   * The core has decided. An agent of whom this gateway did not know is counted now, as far as the window
   * allows, and one who is no agent any more is not; signatures of strangers and of wallets without funds cost
   * their client's address.
   */
  settle(result: Result): void {
    const isStranger = result === Result.Unauthorized
    if (isStranger || result === Result.NoFunds) this.#countFailure()
    const { limits, nowMillis } = this.#context
    const { wallet, category } = this.#request
    if (isStranger && this.verdict !== null) {
      limits.refund(wallet, category, 1, this.#takenMillis)
      this.verdict = null
    } else if (!isStranger && this.verdict === null) {
      this.verdict = limits.take(wallet, category, 1, nowMillis())
      this.verdict.isAllowed = true // what was done is never answered like a 429
    }
  }

  /**
   * The write was accepted for a wallet without funds: anybody can make such wallets, so it costs the client's
   * address what a failed recovery costs.
   */
  countUnfunded(): void {
    this.#countFailure()
  }

  /** Lower-case text of the wallet that acts. */
  get wallet(): string {
    return this.#request.wallet
  }

  /** Headers of the answer; none when the request did not count. */
  get headers(): HeaderList {
    return rateHeaders(this.verdict)
  }

  #countFailure(): void {
    const { limits, nowMillis } = this.#context
    limits.countFailure(addressKeyOf(this.#request.address), nowMillis())
  }
}

function isAuthorised({ signing, limits }: GatewayContext, wallet: string): boolean {
  const signer = signing.signerText()
  return signer === wallet || limits.directory.agentsOf(wallet).has(signer)
}
