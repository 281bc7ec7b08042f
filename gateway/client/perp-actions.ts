import {
  type PerpAction,
  type PerpActionContext,
  type PerpTif,
  perpActionMessage,
} from '../../schemas/signing/perp-action-hash.js'
import { perpDomain } from '../../schemas/typed-data.js'
import { parseAddress } from '../../schemas/wallet.js'
import type { PerpOrderTerms, PerpTifName } from '../../schemas/wire-types.js'
import { structs } from './generated/interface.js'
import type { SignedBody } from './signed-actions.js'
import type { Signer } from './signer.js'
import { signTyped } from './typed-request.js'

/** Signer, wallet and environment of perp actions. */
export interface PerpSigningContext {
  /** `perp_source` of GET /exchange-info. Makes signatures invalid in other environments. */
  readonly source: string
  readonly signer: Signer
  /** The trading wallet: the signer's own, or one that approved the signer as its agent. */
  readonly wallet: string
}

const tifsOnWire: Readonly<Record<PerpTifName, PerpTif>> = { gtc: 'Gtc', ioc: 'Ioc', alo: 'Alo' }

/**
 * Signs the body of POST /perp-order for a new order.
 * @example
 * const terms = { asset, side: 'Sell', size: '0.5', price: '100500', tif: 'alo' } as const
 * const body = signPerpOrder(perpContext, terms, client.nextNonce())
 */
export function signPerpOrder(
  context: PerpSigningContext,
  terms: PerpOrderTerms,
  nonce: number,
): SignedBody {
  const { asset, side, size, price, tif = 'gtc', clientId, reduceOnly = false } = terms
  const order = {
    a: asset,
    b: side === 'Buy',
    p: price,
    s: size,
    r: reduceOnly,
    t: { limit: { tif: tifsOnWire[tif] } },
    ...(clientId === undefined ? {} : { c: clientId }),
  }
  const action: PerpAction = { type: 'order', orders: [order], grouping: 'na' }
  return signPerpAction(context, action, nonce, terms.expiresAfterMillis ?? null)
}

/**
 * Signs the body of POST /perp-order for a cancel by order id.
 * @example
 * const body = signPerpCancel(perpContext, asset, perpOrderId, client.nextNonce())
 */
export function signPerpCancel(
  context: PerpSigningContext,
  asset: number,
  orderId: number,
  nonce: number,
): SignedBody {
  const action: PerpAction = { type: 'cancel', cancels: [{ a: asset, o: orderId }] }
  return signPerpAction(context, action, nonce, null)
}

/**
 * Signs the body of POST /perp-order for a cancel by client id.
 * @example
 * const cloid = '0x000000000000000000000000000000a1'
 * const body = signPerpCancelByClientId(perpContext, asset, cloid, client.nextNonce())
 */
export function signPerpCancelByClientId(
  context: PerpSigningContext,
  asset: number,
  clientId: string,
  nonce: number,
): SignedBody {
  const action: PerpAction = { type: 'cancelByCloid', cancels: [{ asset, cloid: clientId }] }
  return signPerpAction(context, action, nonce, null)
}

/** Signs a body of POST /perp-order with any action. */
export function signPerpAction(
  { source, signer, wallet }: PerpSigningContext,
  action: PerpAction,
  nonce: number,
  expiresAfterMillis: number | null,
): SignedBody {
  const halves = { nonceHigh: Math.floor(nonce / 2 ** 32), nonceLow: nonce % 2 ** 32 }
  // An agent's signature covers the wallet that it acts for.
  const isAgent = signer.address.toLowerCase() !== wallet.toLowerCase()
  const vault = isAgent ? parseAddress(wallet) : null
  const hashed: PerpActionContext = { ...halves, vault, expiresAfterMillis }
  const message = perpActionMessage(action, hashed, source)
  return {
    wallet,
    action,
    nonce,
    ...(isAgent ? { vaultAddress: wallet } : {}),
    ...(expiresAfterMillis === null ? {} : { expiresAfter: expiresAfterMillis }),
    signature: signTyped(signer, { domain: perpDomain, struct: structs.Agent, message }),
  }
}
