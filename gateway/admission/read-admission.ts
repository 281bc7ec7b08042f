import { isZeroAddress, parseAddress } from '../../schemas/wallet.js'
import { type AddressKey, addressKeyOf } from '../limits/address-limits.js'
import { RateLimitFault, rateHeaders } from '../limits/rate-limit-fault.js'
import { RateCategory, type RateVerdict, rateCategoryNames } from '../limits/rate-windows.js'
import type { RequestLimits } from '../limits/request-limits.js'
import type { GatewayContext } from '../link/gateway-context.js'
import type { HeaderList, HttpCall } from '../transport/transport.js'

const badRequest = 400

/**
 * Counts a read that names a wallet against its client: nobody can spend a stranger's budget.
 * @param wallet lower-case text; null in a read without one, or with a malformed one.
 * @returns null for what counts nowhere.
 */
export function admitRead(
  { limits, nowMillis }: GatewayContext,
  call: HttpCall,
  wallet: string | null,
): ReadAdmission | RateLimitFault | null {
  if (wallet === null) return null
  const client = addressKeyOf(call.address)
  const takenMillis = nowMillis()
  const verdict = limits.takeRead(client, wallet, takenMillis)
  return verdict.isAllowed
    ? new ReadAdmission(limits, client, wallet, verdict, takenMillis)
    : new RateLimitFault(rateCategoryNames[RateCategory.ApiRequest], verdict)
}

/** Lower-case text of the wallet that a query names, once and as an address; else null. */
export function walletInQuery(query: string, parameter: string): string | null {
  if (query === '') return null
  const values = new URLSearchParams(query).getAll(parameter)
  return values.length === 1 ? walletIn(values[0]) : null
}

/** Lower-case text of a value that is a wallet's address; else null. */
export function walletIn(value: unknown): string | null {
  const bytes = typeof value === 'string' ? parseAddress(value) : null
  return bytes === null || isZeroAddress(bytes, 0) ? null : (value as string).toLowerCase()
}

/** A counted read that waits for its answer. */
export class ReadAdmission {
  readonly #limits: RequestLimits
  readonly #client: AddressKey
  readonly #wallet: string
  readonly #verdict: RateVerdict
  readonly #takenMillis: number

  constructor(
    limits: RequestLimits,
    client: AddressKey,
    wallet: string,
    verdict: RateVerdict,
    takenMillis: number,
  ) {
    this.#limits = limits
    this.#client = client
    this.#wallet = wallet
    this.#verdict = verdict
    this.#takenMillis = takenMillis
  }

  /** Headers of the answer. A read that turned out to be malformed is given back, and shows none. */
  settle(status: number): HeaderList {
    if (status !== badRequest) return rateHeaders(this.#verdict)
    this.#limits.refundRead(this.#client, this.#wallet, this.#takenMillis)
    return []
  }
}
