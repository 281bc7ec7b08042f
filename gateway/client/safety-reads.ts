import type { ActionOutcome, OrderWhy, RateLimits } from './answer-types.js'
import { WalletReads } from './wallet-reads.js'

/** Reads that tell a trader the result of an action and the remaining rate limits. */
export class SafetyReads extends WalletReads {
  /**
   * Returns the state of the wallet's rate windows, and of this client's reads of the wallet. Uses no signed write.
   * @example
   * const { windows } = await client.safety.rateLimits()
   * const left = windows.find(({ category }) => category === 'OrderPlacement')?.remaining
   */
  rateLimits(): Promise<RateLimits> {
    return this.dataOfMine('/rate-limits')
  }

  /**
   * Returns the result of a signed action whose answer was lost. Executes nothing. The answer accounts for every action
   * that the exchange had received before the query, but bytes still in flight may arrive later. To rule that out, sign
   * a different action with the same nonce.
   * @param digest Digest of the typed data, `0x` and 64 hexadecimal digits: `digestOfBody`.
   * @example
   * const { status, outcome } = await client.safety.actionOutcome(digest)
   * if (status === 'unknown') await client.placeOrder(terms)
   */
  actionOutcome(digest: string): Promise<ActionOutcome> {
    return this.dataOfMine('/actions/outcome', { digest })
  }

  /**
   * Returns the trace of a recent order or cancel: time per stage, its batch and neighbours, and for a rejection the
   * failed check with its numbers. A rejected order has no order id; find it by its nonce.
   * @throws ApiError `not_found` if the order is unknown or too old.
   * @example
   * const { stages, check } = await client.safety.whyOrder({ nonce })
   * if (check === null) console.log(`answered within ${stages.total_micros} microseconds`)
   */
  async whyOrder(
    sought: { readonly orderId: number } | { readonly nonce: number | string },
  ): Promise<OrderWhy> {
    if ('nonce' in sought) return this.dataOfMine('/orders/why', { nonce: String(sought.nonce) })
    const query = { order_id: sought.orderId }
    return (await this.get('/orders/why', query)).data
  }
}
