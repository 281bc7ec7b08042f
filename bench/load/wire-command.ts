import {
  type SignedBody,
  type SigningContext,
  signCancelByClientId,
  signPlaceOrder,
  signReplaceOrder,
} from '../../gateway/client/signed-actions.js'
import { formatLots, formatMicros } from '../../schemas/decimal.js'
import { type CommandPlan, LoadKind } from './command-plan.js'

/** How commands go to the venue. The stream has no cancel and no replace: those go over HTTP. */
export type Transport = 'http' | 'stream'

/** What signing a plan needs besides the plan. */
export interface WireParts {
  readonly plan: CommandPlan
  readonly symbols: readonly string[]
  /** By wallet of the plan. */
  readonly contexts: readonly SigningContext[]
  /** Nonce of the plan's first command; the others follow in its order. */
  readonly firstNonce: number
  /** Client ids are this and the place in the plan: unique over runs. */
  readonly tag: string
  readonly transport: Transport
  /** For the HTTP header of that name. */
  readonly host: string
}

const methods = ['POST', 'DELETE', 'PUT', 'POST'] as const

/** Whether a command of this kind travels over the stream. */
export function goesByStream(transport: Transport, kind: number): boolean {
  return transport === 'stream' && (kind === LoadKind.Place || kind === LoadKind.Take)
}

/**
 * Bytes of a command whose signature needs nothing but the plan: a stream frame's text or a whole
 * HTTP request. For a replace, whose signature covers the order id, these are the cancel that
 * stands in for it when the order is not known to be open by then.
 */
export function plannedBytes(parts: WireParts, index: number): Buffer {
  const { plan, contexts, transport, firstNonce, tag } = parts
  const kind = plan.kind[index]
  const context = contexts[plan.wallet[index]]
  const nonce = firstNonce + index
  if (kind === LoadKind.Cancel || kind === LoadKind.Replace) {
    const target = `${tag}${plan.target[index]}`
    return requestBytes(parts, LoadKind.Cancel, signCancelByClientId(context, target, nonce))
  }
  const isTake = kind === LoadKind.Take
  const terms = { ...termsOf(parts, index), tif: isTake ? 'ioc' : 'gtc' } as const
  const body = signPlaceOrder(context, { ...terms, route: 'book_only' }, nonce)
  if (!goesByStream(transport, kind)) return requestBytes(parts, kind, body)
  return Buffer.from(JSON.stringify({ type: 'PlaceOrder', ...body }), 'latin1')
}

/** Request of a planned replace, now that the id of its order is known. */
export function replaceBytes(parts: WireParts, index: number, orderId: number): Buffer {
  const context = parts.contexts[parts.plan.wallet[index]]
  const terms = { ...termsOf(parts, index), orderId }
  return requestBytes(
    parts,
    LoadKind.Replace,
    signReplaceOrder(context, terms, parts.firstNonce + index),
  )
}

function termsOf({ plan, symbols, tag }: WireParts, index: number) {
  return {
    symbol: symbols[plan.instrument[index]],
    side: plan.side[index] === 0 ? 'Buy' : 'Sell',
    size: formatLots(plan.sizeLots[index]),
    price: formatMicros(plan.priceMicros[index]),
    clientId: `${tag}${index}`,
  } as const
}

function requestBytes({ host }: WireParts, kind: number, body: SignedBody): Buffer {
  const text = JSON.stringify(body)
  const head = `${methods[kind]} /order HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nContent-Length: ${text.length}\r\n\r\n`
  return Buffer.from(head + text, 'latin1') // all of it is ASCII
}
