import { RateCategory, rateCategoryNames } from '../../schemas/domain.js'
import { isZeroAddress, parseAddress } from '../../schemas/wallet.js'
import { addressKeyOf } from '../limits/address-limits.js'
import { RateLimitFault, rateHeaders } from '../limits/rate-limit-fault.js'
import type { RateVerdict } from '../limits/rate-windows.js'
import type { GatewayContext } from '../link/gateway-context.js'
import type { HeaderList, HttpCall } from '../transport/transport.js'

const badRequest = 400

/** Headers of a read's answer, by its status. */
export type ReadHeaders = (status: number) => HeaderList

/**
 * Counts a read that names a wallet against its client, so nobody can spend a stranger's budget. A malformed read is
 * refunded, and its answer has no headers of the window.
 * @param wallet lower-case text; null for a missing or malformed one: the read does not count.
 */
export function admitRead(
  { limits, nowMillis }: GatewayContext,
  call: HttpCall,
  wallet: string | null,
): ReadHeaders | RateLimitFault {
  if (wallet === null) return () => []
  const client = addressKeyOf(call.address)
  const takenMillis = nowMillis()
  const verdict = limits.takeRead(client, wallet, takenMillis)
  if (!verdict.isAllowed) return refusedBy(verdict)
  return (status) => {
    if (status !== badRequest) return rateHeaders(verdict)
    limits.refundRead(client, wallet, takenMillis)
    return []
  }
}

/** Counts a read over the stream. @param address bytes of the client. @returns the error, or null. */
export function countRead(
  { limits, nowMillis }: GatewayContext,
  address: Uint8Array,
  wallet: string,
): RateLimitFault | null {
  const verdict = limits.takeRead(addressKeyOf(address), wallet, nowMillis())
  return verdict.isAllowed ? null : refusedBy(verdict)
}

function refusedBy(verdict: RateVerdict): RateLimitFault {
  return new RateLimitFault(rateCategoryNames[RateCategory.ApiRequest], verdict)
}

/** Returns the lower-case text of the wallet that a query names once and as an address, or null. */
export function walletInQuery(query: string, parameter: string): string | null {
  if (query === '') return null
  const values = new URLSearchParams(query).getAll(parameter)
  return values.length === 1 ? walletIn(values[0]) : null
}

/** Returns the lower-case text of a wallet's address, or null for any other value. */
export function walletIn(value: unknown): string | null {
  const bytes = typeof value === 'string' ? parseAddress(value) : null
  return bytes === null || isZeroAddress(bytes, 0) ? null : (value as string).toLowerCase()
}
