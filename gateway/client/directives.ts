import { deliveryStatusNames, isFinalDelivery } from '../../schemas/domain.js'
import type { DirectiveKey } from '../../schemas/interface/directives.js'
import { directivePath } from '../../schemas/interface/paths.js'
import { directiveOf, directivePathOf, termsOf } from '../../schemas/signing/directive-actions.js'
import { signingDomains } from '../../schemas/typed-data.js'
import type { ActionSender } from './account-methods.js'
import type { Directive, DirectiveAnswer } from './generated/interface.js'
import type { SignedBody, SigningContext } from './signed-actions.js'
import { sleep } from './sleep.js'
import { signTyped } from './typed-request.js'

/** Integer that may exceed 2^53, as a bigint or decimal text. */
export type LargeInteger = number | string | bigint

/** Terms by action key. Prices and sizes are in units of 1e-8; addresses and names are hexadecimal. */
export interface DirectiveTerms {
  readonly hl_limit_order: {
    readonly asset: number
    readonly isBuy: boolean
    readonly limitPx: LargeInteger
    readonly sz: LargeInteger
    readonly reduceOnly: boolean
    /** 1: post-only; 2: good till cancelled; 3: immediate or cancel. */
    readonly encodedTif: 1 | 2 | 3
    /** 1 to 2^128 - 1. Default: the nonce. */
    readonly cloid?: LargeInteger
  }
  readonly hl_cancel_by_oid: { readonly asset: number; readonly oid: LargeInteger }
  readonly hl_cancel_by_cloid: { readonly asset: number; readonly cloid: LargeInteger }
  readonly hl_set_abstraction: { readonly user: string; readonly abstraction: 2 }
  /** `addr` may sign trading directives under this name; the zero address removes it. */
  readonly hc_update_api_wallet: { readonly name: string; readonly addr: string }
}

const pollMillis = 200

/**
 * Sends directives: perp orders and cancels by numbers, and settings by the wallet's owner. A key that the owner set
 * with `hc_update_api_wallet` may sign trading directives.
 */
export class DirectiveClient {
  readonly #sender: ActionSender

  constructor(sender: ActionSender) {
    this.#sender = sender
  }

  /**
   * Sends a directive and returns its answer. A rejection by the engine is an answer too.
   * @throws ApiError for earlier failures: `unauthorized`, `invalid_field`.
   * @example
   * const size = { limitPx: 100_000n * 10n ** 8n, sz: 5_000_000, reduceOnly: false } as const
   * const order = { asset, isBuy: true, ...size, encodedTif: 2 } as const
   * const { orderId, fills } = await client.directives.send('hl_limit_order', order)
   * await client.directives.send('hl_cancel_by_oid', { asset, oid: orderId! })
   */
  send<Key extends DirectiveKey>(key: Key, terms: DirectiveTerms[Key]): Promise<DirectiveAnswer> {
    const { rest, context, nextNonce } = this.#sender
    const body = signDirective(context, key, terms, nextNonce())
    return rest.request('POST', directivePathOf(key), { body })
  }

  /**
   * Returns the delivery status of a directive or withdrawal.
   * @throws ApiError `not_found`.
   * @example
   * const { delivery_status } = await client.directives.status(directiveId)
   */
  status(directiveId: string): Promise<Directive> {
    const { rest, context } = this.#sender
    const query = { wallet: context.wallet }
    return rest.request('GET', directivePath + encodeURIComponent(directiveId), { query })
  }

  /**
   * Polls until a directive reaches a final state.
   * @example
   * const { domain_status } = await client.directives.settled(directiveId)
   */
  async settled(directiveId: string): Promise<Directive> {
    for (;;) {
      const row = await this.status(directiveId)
      const status = deliveryStatusNames.indexOf(row.delivery_status)
      if (isFinalDelivery(status as Parameters<typeof isFinalDelivery>[0])) return row
      await sleep(pollMillis)
    }
  }
}

/**
 * Signs the body of POST /v1/actions/{actionKey}.
 * @example
 * const terms = { asset, oid: perpOrderId }
 * const body = signDirective(client.context, 'hl_cancel_by_oid', terms, client.nextNonce())
 */
export function signDirective<Key extends DirectiveKey>(
  { domain, signer, wallet }: SigningContext,
  key: Key,
  terms: DirectiveTerms[Key],
  nonce: number,
): SignedBody {
  const row = directiveOf(key)
  const given = Object.entries(terms)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => [name, typeof value === 'bigint' ? String(value) : value] as const)
  const action = Object.fromEntries(given)
  const signed = termsOf(row).map(({ name }) => [name, action[name] ?? nonce] as const)
  const message = { account: wallet, nonce, action: Object.fromEntries(signed) }
  const domains = signingDomains(domain.name, domain.chainId)
  const request = { domain: domains[row.domain], struct: row.struct, message }
  return { account: wallet, nonce, action, signature: signTyped(signer, request) }
}
