import { assert } from '../../schemas/assert.js'
import type { Envelope } from '../../schemas/interface/answer.js'
import { endpointOf } from '../../schemas/interface/paths.js'
import type { ReadRow } from '../../schemas/interface/read.js'
import {
  type GatewayReadKey,
  gatewayReads,
  historyReads,
  viewReadKeys,
  viewReads,
} from '../../schemas/interface/reads.js'
import {
  type Component,
  type GatewayService,
  gatewayServices,
  type VenueStatus,
} from '../../schemas/interface/venue.js'
import {
  type AccountActionName,
  accountKeys,
  signedWrites,
  writes,
} from '../../schemas/interface/writes.js'
import { Result, resultRows } from '../../schemas/results.js'
import { accountActions } from '../actions/account-actions.js'
import type { Action } from '../actions/action.js'
import { admitRead, walletIn, walletInQuery } from '../admission/read-admission.js'
import { admitReader, areReadsSigned } from '../admission/read-session.js'
import { ReadsUnderWay } from '../limits/reads-under-way.js'
import type { GatewayContext } from '../link/gateway-context.js'
import { bodyReadBytesMax } from '../link/read-protocol.js'
import type { ReadClient } from '../link/reads.js'
import type { Compressor } from '../transport/compressor.js'
import type { HeaderList, HttpCall } from '../transport/transport.js'
import type { Answer } from '../wire/answers.js'
import { chainRpcPath } from '../wire/chain-rpc-path.js'
import { Fault } from '../wire/fault.js'
import { unknownFieldText } from '../wire/unknown-field.js'
import { accountAnswers } from './account-answers.js'
import { type AccountAnswer, writeAccount } from './account-write.js'
import { writeBulk } from './bulk.js'
import { cancelByClientId, cancelOrder } from './cancel-order.js'
import { answerChainRpc } from './chain-rpc.js'
import { directiveWrites } from './directive.js'
import { grantFunds } from './faucet.js'
import { readFromGateway } from './gateway-reads.js'
import { answerFault, answerJson, noHeaders } from './http-answer.js'
import { answerIndex } from './index-page.js'
import { readJsonBody } from './json-body.js'
import { debugOrder } from './order-debug.js'
import { actOnPerp } from './perp-order.js'
import { placeOrder, replaceOrder } from './place-order.js'
import { continueRead } from './profile-read.js'
import { acceptRfqQuote, submitRfq } from './rfq.js'
import type { Handler, Operations } from './router.js'
import { readiness, version } from './service.js'
import { venueIndex } from './venue-index.js'
import { type WalletNames, walletNamesOf, withWalletNames } from './wallet-names.js'

/** Answers reads from the history store: `HistoryPool`. */
export interface HistoryReads {
  /**
   * @param logOffset Offset that the answer must include.
   */
  query(path: string, queryText: string, logOffset: number): Promise<Answer>
  /** The thread was woken, so the store may have advanced. */
  onHistoryProgress(): void
  close(): Promise<void>
}

/** Dependencies of the served paths. */
export interface ServedParts {
  readonly context: GatewayContext
  readonly reads: ReadClient
  readonly compressor: Compressor
  /** Handlers of the interface documents, by path. */
  readonly documents: ReadonlyMap<string, Handler>
  readonly components: () => readonly Component[]
  /** Returns the reasons why the venue is degraded. */
  readonly degraded: () => readonly string[]
  /** Returns the state of the venue now. */
  readonly status: () => VenueStatus
  /** Returns why reads cannot be answered now, or null. */
  readonly refusesReads: () => Fault | null
}

/** Handles a write. Returns the fault, in the envelope of its endpoint; null: an answer was or will be sent. */
export type Write = (context: GatewayContext, call: HttpCall) => Fault | null

/** Answers that need a read session must not be cached for others. */
const unkeptHeaders: HeaderList = [['Cache-Control', 'no-store']]

/** Reads whose rows have external wallet names. */
const namedReads: ReadonlySet<string> = new Set([
  'GET /leaderboard',
  'GET /competition/leaderboard',
])

/** Writes of orders and RFQs, and the faucet, by method and path. */
const ownWrites: Readonly<Record<string, Write>> = {
  'POST /order': placeOrder,
  'PUT /order': replaceOrder,
  'DELETE /order': cancelOrder,
  'POST /order/debug': debugOrder,
  'DELETE /order_cloid': cancelByClientId,
  'POST /perp-order': actOnPerp,
  'POST /rfq/request': submitRfq,
  'POST /rfq/accept': acceptRfqQuote,
  'POST /faucet': grantFunds,
}
/** Status and body of each service. */
const services: Readonly<
  Record<Exclude<GatewayService, 'GET /'>, (parts: ServedParts) => readonly [number, object]>
> = {
  // An answer proves that the thread is alive.
  'GET /health': () => [200, { status: 'ok' }],
  'GET /version': ({ context }) => [200, version(context)],
  'GET /ready': ({ components, degraded }) => readiness(components(), degraded()),
}

/** Returns every served path with its operations. A path that ends in a slash covers all paths below it. */
export function servedPaths(parts: ServedParts): ReadonlyMap<string, Operations> {
  const paths = new Map<string, Operations>()
  const serve = (key: string, handler: Handler) => {
    const [method, path] = endpointOf(key)
    paths.set(path, { ...paths.get(path), [method]: handler })
  }
  const { compressor } = parts
  const writesByKey = writesOf(parts)
  const { preset } = parts.context.config
  for (const [key, row] of Object.entries(writes)) {
    const write = writesByKey.get(key)
    assert(write !== undefined, 'served paths: every write has a handler')
    const isServed = !('presets' in row) || row.presets.includes(preset)
    if (isServed) serve(key, guarded(parts, row.answer.envelope, write))
  }
  for (const key of gatewayServices) {
    serve(key, (call) => {
      const refused = refusesQuery(parts.context, call)
      if (refused !== null) return answerFault(call, refused)
      const compressed = compressor.single(call)
      if (key === 'GET /') {
        const index = venueIndex(parts.context, paths, parts.status(), parts.degraded())
        return answerIndex(compressed, index)
      }
      const [status, body] = services[key](parts)
      answerJson(compressed, status, JSON.stringify(body))
    })
  }
  for (const [path, handler] of parts.documents) serve(`GET ${path}`, handler)
  serve(`POST ${chainRpcPath}`, (call) => answerChainRpc(parts.context, call))
  const shared = { ...parts, underWay: new ReadsUnderWay() }
  const partsOf = ({ answer, ...row }: ReadRow, call: HttpCall) => ({
    ...{ ...row, envelope: answer.envelope, call: compressor.single(call) },
  })
  const names = walletNamesOf(parts.context.config, () => parts.context.nowMillis())
  for (const [type, key] of viewReadKeys.entries()) {
    const row = viewReads[key]
    const read = endpointOf(key)[0] === 'POST' ? readByBody : readByQuery
    serve(key, (call) => read({ ...shared, ...partsOf(row, call), names }, type))
  }
  for (const [key, row] of Object.entries(historyReads)) {
    serve(key, (call) => readHistory({ ...shared, ...partsOf(row, call) }))
  }
  for (const [key, row] of Object.entries(gatewayReads)) {
    serve(key, (call) => readHere({ ...shared, ...partsOf(row, call) }, key as GatewayReadKey))
  }
  return paths
}

/** Returns the handler of each write. */
function writesOf(parts: ServedParts): ReadonlyMap<string, Write> {
  const { queryHistory } = parts.context
  const bulks = Object.entries(signedWrites).flatMap(([key, { list }]) => {
    const write: Write = (context, call) => writeBulk(context, call, list!)
    return list === null ? [] : [[key, write] as const]
  })
  const accounts = Object.entries<Action>(accountActions).map(([name, action]) => {
    const answer = accountAnswers[name as AccountActionName] as AccountAnswer
    const write: Write = (context, call) =>
      writeAccount(context, call, action, answer, queryHistory)
    return [accountKeys[name as AccountActionName], write] as const
  })
  return new Map([...Object.entries(ownWrites), ...directiveWrites, ...bulks, ...accounts])
}

/** Wraps a write in checks that writes are accepted and the query has no unknown parameters. */
function guarded({ context }: ServedParts, envelope: Envelope, write: Write): Handler {
  return (call) => {
    const fault = context.refusesWrites() ?? refusesQuery(context, call) ?? write(context, call)
    if (fault !== null) answerFault(call, fault, envelope)
  }
}

/** Returns the fault of a request with a query, if unknown parameters are refused; otherwise null. */
function refusesQuery({ signing }: GatewayContext, { query }: HttpCall): Fault | null {
  if (query === '' || !signing.refusesUnknownFields) return null
  for (const name of new URLSearchParams(query).keys()) {
    return new Fault(Result.InvalidField, {}, unknownFieldText(name, []))
  }
  return null
}

/** Read in progress, with the row of its endpoint. */
interface Read extends ServedParts, Omit<ReadRow, 'answer'> {
  readonly envelope: Envelope
  readonly underWay: ReadsUnderWay
  readonly call: HttpCall
  /** External wallet names, for leaderboards. */
  readonly names?: WalletNames | null
}

/** Passes a read to the read model, which parses, validates and answers it. */
function readByQuery(read: Read, type: number): void {
  const { pathParameter } = read
  const { path, query: given } = read.call
  const query = pathParameter === undefined ? given : withPath(given, pathParameter, path)
  ask(read, type, query, walletInQuery(query, read.walletParameter))
}

/** Adds the last path segment to the query, as a parameter. */
function withPath(query: string, name: string, path: string): string {
  const parameter = `${name}=${path.slice(path.lastIndexOf('/') + 1)}`
  return query === '' ? parameter : `${query}&${parameter}`
}

/** Passes on a read whose parameters are a body, as its text. */
function readByBody(read: Read, type: number): void {
  const { call, context, envelope } = read
  const unknown = refusesQuery(context, call)
  const body = unknown ?? readJsonBody(call.body)
  const isTooLarge = call.body !== null && call.body.length > bodyReadBytesMax
  if (isTooLarge) answerFault(call, new Fault(Result.PayloadTooLarge), envelope)
  else if (body instanceof Fault) answerFault(call, body, envelope)
  else ask(read, type, call.body!.toString('utf8'), walletIn(body['wallet']))
}

function ask(read: Read, type: number, text: string, wallet: string | null): void {
  admitted(read, wallet, (answer, refuse) => {
    const { queryHistory } = read.context
    const onAnswer = (status: number, body: Uint8Array) => {
      const isNamed = status === 200 && namedReads.has(viewReadKeys[type]!)
      const { names = null } = read
      const named = isNamed && names !== null ? withWalletNames(body, names) : body
      const rest = status === 200 ? continueRead(viewReadKeys[type]!, body, queryHistory) : null
      if (rest === null) answer(status, named)
      else answerLater(rest, answer, refuse)
    }
    const full = read.underWay.take(read.call.address, (end) => {
      const busy = read.reads.ask(type, text, read.context.nowMillis(), (status, body) => {
        end()
        onAnswer(status, body)
      })
      if (busy === null) return
      end()
      refuse(busy)
    })
    if (full !== null) refuse(full)
  })
}

function readHistory(read: Read): void {
  const { context, call } = read
  admitted(read, walletInQuery(call.query, read.walletParameter), (answer, refuse) => {
    const full = read.underWay.take(call.address, (end) => {
      const reply = context.queryHistory(call.path, call.query)
      answerLater(reply.finally(end), answer, refuse)
    })
    if (full !== null) refuse(full)
  })
}

function answerLater(
  reply: Promise<Answer>,
  answer: (status: number, body: string) => void,
  refuse: (fault: Fault) => void,
): void {
  reply.then(
    ({ status, body }) => answer(status, body),
    () => refuse(new Fault(Result.InternalError)),
  )
}

function readHere(read: Read, key: GatewayReadKey): void {
  const { context, call } = read
  admitted(read, walletInQuery(call.query, read.walletParameter), (answer, refuse) => {
    readFromGateway(key, {
      ...{ context, call, refuse },
      answer: ({ status, body }) => answer(status, body),
    })
  })
}

/** Admits a read, and answers it or its fault with rate-limit headers. */
function admitted(
  { context, refusesReads, call, envelope, ...row }: Read,
  wallet: string | null,
  begin: (
    answer: (status: number, body: string | Uint8Array) => void,
    refuse: (fault: Fault) => void,
  ) => void,
): void {
  const { reader } = row
  const kept = reader === 'anybody' || !areReadsSigned(context) ? noHeaders : unkeptHeaders
  // A read by a stranger does not use up the limits of the wallet that it names.
  const hidden = refusesReads() ?? admitReader(context, call, row, wallet)
  const headersOf = hidden instanceof Fault ? hidden : admitRead(context, call, wallet)
  if (hidden instanceof Fault || headersOf instanceof Fault) {
    answerFault(call, headersOf as Fault, envelope)
    return
  }
  begin(
    (status, body) => {
      const fault = status === 200 ? hidden(body) : null
      if (fault === null) answerJson(call, status, body, [...kept, ...headersOf(status)])
      else answerFault(call, fault, envelope, headersOf(resultRows[fault.result].http))
    },
    (fault) => answerFault(call, fault, envelope, headersOf(resultRows[fault.result].http)),
  )
}
