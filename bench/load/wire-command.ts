import {
  type SignedBody,
  type SigningContext,
  signCancelByClientId,
  signPlaceOrder,
  signReplaceOrder,
} from '../../gateway/client/signed-actions.js'
import { formatLots, formatMicros } from '../../schemas/decimal.js'
import { type CommandPlan, LoadKind } from './command-plan.js'

/** Transport of commands. The stream has no cancel and no replace, so those use HTTP. */
export type Transport = 'http' | 'stream'

/** Plan, and everything else that signing it needs. */
export interface WireParts {
  readonly plan: CommandPlan
  readonly symbols: readonly string[]
  /** Signing contexts by wallet of the plan. */
  readonly contexts: readonly SigningContext[]
  /** Nonce of the plan's first command. The others follow in order. */
  readonly firstNonce: number
  /** Prefix of client ids, followed by the command's index. It makes them unique over runs. */
  readonly tag: string
  readonly transport: Transport
  /** Value of the Host header. */
  readonly host: string
}

const methods = ['POST', 'DELETE', 'PUT', 'POST'] as const

/** Returns true if commands of this kind use the stream. */
export function goesByStream(transport: Transport, kind: number): boolean {
  return transport === 'stream' && (kind === LoadKind.Place || kind === LoadKind.Take)
}

/**
 * Returns the bytes of a command that can be signed from the plan alone: the text of a stream frame, or a whole HTTP
 * request. A replace cannot, because its signature covers the order id. For it, returns a cancel, which is sent instead if
 * the order is not known to be open by then.
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

/** Returns the request of a planned replace, once its order id is known. */
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
