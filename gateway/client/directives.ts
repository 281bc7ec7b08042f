import { signingDomains } from '../../schemas/typed-data.js'
import { type DirectiveKey, directiveOf, termsOf } from '../actions/directive-actions.js'
import { typedDataDigest } from '../auth/typed-data-digest.js'
import type { SignedBody, SigningContext } from './signed-actions.js'

/** An integer that may be beyond 2^53: a bigint or its decimal text then. */
export type LargeInteger = number | string | bigint

/** What is asked for, by the key of the action. Prices and sizes are units of 1e-8; addresses and names are hexadecimal. */
export interface DirectiveTerms {
  readonly hl_limit_order: {
    readonly asset: number
    readonly isBuy: boolean
    readonly limitPx: LargeInteger
    readonly sz: LargeInteger
    readonly reduceOnly: boolean
    /** 1: only adds liquidity; 2: until cancelled; 3: what trades at once. */
    readonly encodedTif: 1 | 2 | 3
    /** 1 to 2^128 - 1; an order without one has its nonce. */
    readonly cloid?: LargeInteger
  }
  readonly hl_cancel_by_oid: { readonly asset: number; readonly oid: LargeInteger }
  readonly hl_cancel_by_cloid: { readonly asset: number; readonly cloid: LargeInteger }
  readonly hl_set_abstraction: { readonly user: string; readonly abstraction: 2 }
  /** `addr`: who may sign directives for trading under this name; zero removes it. */
  readonly hc_update_api_wallet: { readonly name: string; readonly addr: string }
}

/**
 * Body of POST /v1/actions/{actionKey}.
 * @example
 * const body = signDirective(context, 'hl_cancel_by_oid', { asset, oid: orderId }, nextNonce())
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
  const digest = typedDataDigest(domains[row.domain], row.struct, message)
  return { account: wallet, nonce, action, signature: signer.sign(digest) }
}
