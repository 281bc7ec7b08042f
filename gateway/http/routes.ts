import { Result } from '../../schemas/results.js'
import { Fault } from '../fault.js'
import type { GatewayContext } from '../gateway-context.js'
import { type Answer, Envelope } from '../read-model/answers.js'
import { historyRoutes, readRoutes } from '../read-model/read-protocol.js'
import type { HttpCall } from '../transport.js'
import { approveAgent, revokeAgent, revokeAllAgents } from './agents.js'
import { cancelByClientId, cancelOrder } from './cancel-order.js'
import { answerFault, answerJson } from './http-answer.js'
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

// Envelopes of the gateway's own errors, where the endpoint's is not bare (rest-and-signing.md 2.2).
const envelopes: Readonly<Record<string, Envelope>> = {
  '/portfolio': Envelope.Data,
  '/user-tier': Envelope.Data,
  '/markets': Envelope.Success,
  '/orders': Envelope.Success,
  '/orders/status': Envelope.Success,
  '/fills': Envelope.Success,
  '/trades': Envelope.Success,
}

/** Every path that is served, with its operations; one that ends in a slash stands for all below it. */
export function routesOf(parts: RouteParts): ReadonlyMap<string, Operations> {
  const { context } = parts
  const write =
    (handler: Write, envelope: Envelope = Envelope.Bare): Handler =>
    (call) => {
      const refused = context.refusesWrites()
      if (refused === null) handler(context, call)
      else answerFault(call, refused, envelope)
    }
  const routes = new Map<string, Operations>([
    ['/order', { POST: write(placeOrder), PUT: write(replaceOrder), DELETE: write(cancelOrder) }],
    ['/order_cloid', { DELETE: write(cancelByClientId, Envelope.Data) }],
    ['/approve-agent', { POST: write(approveAgent, Envelope.Success) }],
    ['/revoke-agent', { DELETE: write(revokeAgent, Envelope.Success) }],
    ['/revoke-all-agents', { DELETE: write(revokeAllAgents, Envelope.Success) }],
    ['/exchange-info', { GET: (call) => exchangeInfo(context, call) }],
    ['/health', { GET: (call) => health(context, call) }],
    ['/version', { GET: (call) => version(context, call) }],
    ['/ready', { GET: (call) => ready(parts.components(), call) }],
  ])
  for (const [index, path] of readRoutes.entries()) {
    routes.set(path, { GET: (call) => read(parts, index, call) })
  }
  for (const path of [...historyRoutes, '/trades/']) {
    routes.set(path, { GET: (call) => readHistory(parts, call) })
  }
  return routes
}

/** A route of the read model, which parses the query, validates and encodes. */
function read({ context, reads, refusesReads }: RouteParts, route: number, call: HttpCall): void {
  const listener = (status: number, body: Uint8Array) => answerJson(call, status, body)
  const fault = refusesReads() ?? reads.ask(route, call.query, context.nowMillis(), listener)
  if (fault !== null) answerFault(call, fault, envelopeOf(call))
}

function readHistory(parts: RouteParts, call: HttpCall): void {
  const { history, refusesReads, toldPosition } = parts
  const fault = refusesReads()
  if (fault !== null) {
    answerFault(call, fault, envelopeOf(call))
    return
  }
  history.query(call.path, call.query, toldPosition()).then(
    ({ status, body }) => answerJson(call, status, body),
    () => answerFault(call, new Fault(Result.InternalError), envelopeOf(call)),
  )
}

function envelopeOf(call: HttpCall): Envelope {
  return envelopes[call.path] ?? Envelope.Bare
}
