import type { ActionOutcome, OrderWhy, RateLimits } from './answer-types.js'
import { WalletReads } from './wallet-reads.js'

/** What keeps a trader from guessing: what was accepted, and how much more may be asked for. */
export class SafetyReads extends WalletReads {
  /**
   * How the wallet's rate windows stand, and those of this client's reads of it. To look costs no signed write.
   * @example
   * const { windows } = await client.safety.rateLimits()
   * const left = windows.find(({ category }) => category === 'OrderPlacement')?.remaining
   */
  rateLimits(): Promise<RateLimits> {
    return this.dataOfMine('/rate-limits')
  }

  /**
   * What a signed action has come to whose answer was lost; nothing is executed. All that the exchange had taken from
   * anybody before it was asked is decided in the answer, but bytes that are still on the wire may come behind it: who must
   * be sure signs something else under the same nonce.
   * @param digest of the typed data, `0x` and 64 hexadecimal digits: `digestOfBody`.
   * @example
   * const { status, outcome } = await client.safety.actionOutcome(digest)
   * if (status === 'unknown') await client.placeOrder(terms)
   */
  actionOutcome(digest: string): Promise<ActionOutcome> {
    return this.dataOfMine('/actions/outcome', { digest })
  }

  /**
   * Why a recent order or cancel went as it did: what it spent in each stage, its batch and neighbours, and of a refusal
   * the check that failed with its numbers. What was refused has no order id, and is found by its nonce.
   * @throws ApiError `not_found` for what is unknown or too old.
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
