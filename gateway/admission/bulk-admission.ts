import { type RateCategory, rateCategoryNames } from '../../schemas/domain.js'
import { Result } from '../../schemas/results.js'
import { RateLimitFault, rateHeaders } from '../limits/rate-limit-fault.js'
import type { RateVerdict } from '../limits/rate-windows.js'
import type { GatewayContext } from '../link/gateway-context.js'
import type { HeaderList } from '../transport/transport.js'
import { Fault } from '../wire/fault.js'
import type { Admission } from './admission.js'

/**
 * Counts every item whose signer may act for its wallet against that wallet's window. Counts all of them, or none if the
 * items of one wallet exceed its window.
 * @returns `InvalidParameter` for more items than a window can ever hold, `RateLimitExceeded`, or null.
 */
export function takeBulk(
  { limits, nowMillis }: GatewayContext,
  category: RateCategory,
  admissions: readonly Admission[],
): Fault | null {
  const counts = new Map<string, number>()
  for (const { isKnown, wallet } of admissions) {
    if (isKnown) counts.set(wallet, (counts.get(wallet) ?? 0) + 1)
  }
  for (const [wallet, count] of counts) {
    const limit = limits.limitOf(wallet, category)
    if (limit >= 0 && count > limit) return tooMany(wallet, limit)
  }
  const takenMillis = nowMillis()
  const verdicts = new Map<string, RateVerdict>()
  for (const [wallet, count] of counts) {
    const verdict = limits.take(wallet, category, count, takenMillis)
    if (!verdict.isAllowed) {
      for (const taken of verdicts.keys()) {
        limits.refund(taken, category, counts.get(taken)!, takenMillis)
      }
      return new RateLimitFault(rateCategoryNames[category], verdict)
    }
    verdicts.set(wallet, verdict)
  }
  for (const admission of admissions) {
    const verdict = verdicts.get(admission.wallet)
    if (admission.isKnown && verdict !== undefined) admission.counted(verdict, takenMillis)
  }
  return null
}

/** Returns the headers of a bulk's answer: the window with the least remaining; none if no item counted. */
export function bulkHeaders(admissions: readonly Admission[]): HeaderList {
  let scarcest: RateVerdict | null = null
  for (const { verdict } of admissions) {
    if (verdict === null) continue
    if (scarcest === null || moduleOf(verdict) < moduleOf(scarcest)) scarcest = verdict
  }
  return rateHeaders(scarcest)
}

function moduleOf({ limit, remaining }: RateVerdict): number {
  return limit < 0 ? Number.POSITIVE_INFINITY : remaining
}

function tooMany(wallet: string, limit: number): Fault {
  const text = `Invalid items: more of ${wallet} than the ${limit} it may send in a minute`
  return new Fault(Result.InvalidParameter, {}, text)
}
