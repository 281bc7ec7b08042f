import { Result } from '../../schemas/results.js'
import { type AccountActionName, accountActions } from '../actions/account-actions.js'
import type { Action } from '../actions/action.js'
import { Fault } from '../fault.js'
import type { GatewayContext } from '../gateway-context.js'
import { admitRead, walletIn, walletInQuery } from '../limits/read-admission.js'
import { type Answer, Envelope } from '../read-model/answers.js'
import {
  bodyRoute,
  bodyRouteBytesMax,
  historyRoutes,
  readRoutes,
  tradePath,
} from '../read-model/read-protocol.js'
import type { HttpCall } from '../transport.js'
import { unknownFieldText } from '../unknown-field.js'
import { accountAnswers } from './account-answers.js'
import { type AccountAnswer, writeAccount } from './account-write.js'
import { cancelBulk, placeBulk, replaceBulk } from './bulk.js'
import { cancelByClientId, cancelOrder } from './cancel-order.js'
import { answerFault, answerJson } from './http-answer.js'
import { readJsonBody } from './json-body.js'
import { debugOrder } from './order-debug.js'
import { actOnPerp } from './perp-order.js'
import { placeOrder } from './place-order.js'
import type { ReadClient } from './reads.js'
import { replaceOrder } from './replace-order.js'
import type { Handler, Operations } from './router.js'
import { type Component, exchangeInfo, health, ready, version } from './service.js'

/** Answers reads of the history store: `HistoryPool`. */
export interface HistoryReads {
  /** @param position event-log position that the answer must include. */
  query(path: string, queryText: string, position: number): Promise<Answer>
  /** The thread was woken: the store may have come further. */
  onHistoryProgress(): void
  close(): Promise<void>
}

/** What the routes are served with. */
export interface RouteParts {
  readonly context: GatewayContext
  readonly reads: ReadClient
  readonly history: Pick<HistoryReads, 'query'>
  /** Event-log position up to which clients may have been told. */
  readonly toldPosition: () => number
  readonly components: () => readonly Component[]
  /** Why reads are not answered just now, or null. */
  readonly refusesReads: () => Fault | null
}

type Write = (context: GatewayContext, call: HttpCall) => void

// Envelopes of the gateway's own errors about reads, where the endpoint's is not bare.
const envelopes: Readonly<Record<string, Envelope>> = {
  '/portfolio': Envelope.Data,
  '/user-tier': Envelope.Data,
  '/self-trade-prevention': Envelope.Data,
  '/mmp-config': Envelope.Data,
  '/risk/grid': Envelope.Data,
  '/risk/simulate/orders': Envelope.Data,
  '/markets': Envelope.Success,
  '/orders': Envelope.Success,
  '/orders/status': Envelope.Success,
  '/fills': Envelope.Success,
  '/trades': Envelope.Success,
  [tradePath]: Envelope.Success,
  '/settlement-payouts': Envelope.Success,
  '/liquidation/status': Envelope.Data,
  '/liquidation/history': Envelope.Success,
  '/liquidations': Envelope.Success,
  '/historical-theos': Envelope.Data,
  '/historical-theos/batch': Envelope.Data,
}

/** Every path that is served, with its operations; one that ends in a slash stands for all below it. */
export function routesOf(parts: RouteParts): ReadonlyMap<string, Operations> {
  const { context } = parts
  const askHistory = (path: string, queryText: string) =>
    parts.history.query(path, queryText, parts.toldPosition())
  const write =
    (handler: Write, envelope: Envelope = Envelope.Bare): Handler =>
    (call) => {
      const refused = context.refusesWrites() ?? refusesQuery(context, call)
      if (refused === null) handler(context, call)
      else answerFault(call, refused, envelope)
    }
  const service =
    (handler: Handler): Handler =>
    (call) => {
      const refused = refusesQuery(context, call)
      if (refused === null) handler(call)
      else answerFault(call, refused)
    }
  const routes = new Map<string, Operations>([
    ['/order', { POST: write(placeOrder), PUT: write(replaceOrder), DELETE: write(cancelOrder) }],
    ['/order/debug', { POST: write(debugOrder) }],
    ['/order_cloid', { DELETE: write(cancelByClientId, Envelope.Data) }],
    ['/bulk_order', { POST: write(placeBulk), PUT: write(replaceBulk), DELETE: write(cancelBulk) }],
    ['/bulk_order_cloid', { DELETE: write(cancelBulk) }],
    ['/orders', { POST: write(placeBulk) }],
    ['/orders/cancel', { POST: write(cancelBulk) }],
    ['/perp-order', { POST: write(actOnPerp) }],
    ['/exchange-info', { GET: service((call) => exchangeInfo(context, call)) }],
    ['/health', { GET: service((call) => health(context, call)) }],
    ['/version', { GET: service((call) => version(context, call)) }],
    ['/ready', { GET: service((call) => ready(parts.components(), call)) }],
  ])
  for (const [name, action] of Object.entries<Action>(accountActions)) {
    const { endpoint, envelope } = action
    const [method, path] = endpoint
    const answer = accountAnswers[name as AccountActionName] as AccountAnswer
    const handler = write(
      (_, call) => writeAccount(context, call, action, answer, askHistory),
      envelope,
    )
    routes.set(path, { ...routes.get(path), [method]: handler })
  }
  for (const [index, path] of readRoutes.entries()) {
    const operation =
      path === bodyRoute
        ? { POST: (call: HttpCall) => readByBody(parts, index, call) }
        : { GET: (call: HttpCall) => read(parts, index, call) }
    routes.set(path, { ...routes.get(path), ...operation })
  }
  for (const path of [...historyRoutes, tradePath]) {
    routes.set(path, { ...routes.get(path), GET: (call) => readHistory(parts, call) })
  }
  return routes
}

/** Why a request is refused whose path knows no parameters, where unknown ones are; else null. */
function refusesQuery({ signing }: GatewayContext, { query }: HttpCall): Fault | null {
  if (query === '' || !signing.refusesUnknownFields) return null
  for (const name of new URLSearchParams(query).keys()) {
    return new Fault(Result.InvalidField, {}, unknownFieldText(name, []))
  }
  return null
}

/** A route of the read model, which parses the query, validates and encodes. */
function read(parts: RouteParts, route: number, call: HttpCall): void {
  ask(parts, route, call, call.query, walletInQuery(call.query, walletParameterOf(call)))
}

/** The read whose parameters are a body: it goes on as its text. */
function readByBody(parts: RouteParts, route: number, call: HttpCall): void {
  const unknown = refusesQuery(parts.context, call)
  const body = unknown ?? readJsonBody(call.body)
  const isTooLarge = call.body !== null && call.body.length > bodyRouteBytesMax
  if (isTooLarge) answerFault(call, new Fault(Result.PayloadTooLarge), envelopeOf(call))
  else if (body instanceof Fault) answerFault(call, body, envelopeOf(call))
  else ask(parts, route, call, call.body!.toString('utf8'), walletIn(body['wallet']))
}

function ask(
  { context, reads, refusesReads }: RouteParts,
  route: number,
  call: HttpCall,
  text: string,
  wallet: string | null,
): void {
  const admission = refusesReads() ?? admitRead(context, call, wallet)
  if (admission instanceof Fault) {
    answerFault(call, admission, envelopeOf(call))
    return
  }
  const listener = (status: number, body: Uint8Array) =>
    answerJson(call, status, body, admission?.settle(status))
  const busy = reads.ask(route, text, context.nowMillis(), listener)
  if (busy !== null) answerFault(call, busy, envelopeOf(call), admission?.settle(503))
}

function readHistory(parts: RouteParts, call: HttpCall): void {
  const { context, history, refusesReads, toldPosition } = parts
  const wallet = walletInQuery(call.query, walletParameterOf(call))
  const admission = refusesReads() ?? admitRead(context, call, wallet)
  if (admission instanceof Fault) {
    answerFault(call, admission, envelopeOf(call))
    return
  }
  history.query(call.path, call.query, toldPosition()).then(
    ({ status, body }) => answerJson(call, status, body, admission?.settle(status)),
    () =>
      answerFault(call, new Fault(Result.InternalError), envelopeOf(call), admission?.settle(500)),
  )
}

/** Name of the query parameter that says whose read it is. */
function walletParameterOf(call: HttpCall): string {
  return call.path === '/trades' ? 'account' : 'wallet'
}

function envelopeOf({ path }: HttpCall): Envelope {
  const served = path.startsWith(tradePath) ? tradePath : path
  return envelopes[served] ?? Envelope.Bare
}
