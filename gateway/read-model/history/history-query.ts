import {
  directivePath,
  referralCodePath,
  rfqPath,
  tradePath,
} from '../../../schemas/interface/paths.js'
import {
  orderFillsQuestion,
  orderRowQuestion,
  payoutsOwnedQuestion,
  profileQuestion,
  quotePremiumQuestion,
  realizedPnlQuestion,
} from '../../link/read-protocol.js'
import type { Answer } from '../../wire/answers.js'
import { QueryReader } from '../../wire/query-reader.js'
import { directiveRoute } from './directive-query.js'
import {
  historyRoutes,
  orderRowRoute,
  payoutsOwnedRoute,
  quotePremiumRoute,
  rfqRoute,
  tradeRoute,
} from './history-routes.js'
import { type HistoryDatabase, openHistoryReadOnly, progressOf } from './history-schema.js'
import { notFound } from './not-found.js'
import { orderFillsRoute } from './order-fills.js'
import { profileRoute, realizedPnlRoute } from './profit-routes.js'
import { referralCodeRoute } from './referral-query.js'
import type { HistoryRoute, SelectAll } from './select.js'
import { selecting } from './stored-rows.js'

/** Query as sent to a worker of the pool. */
export interface HistoryRequest {
  readonly path: string
  /** Query text as received, without the question mark. */
  readonly query: string
  /** Engine time; left out: time of the latest event in the store. */
  readonly nowMillis?: number
}

/** Settings of all queries of a venue. */
export interface HistoryRules {
  /** `compat.unknownFields`. */
  readonly refusesUnknown?: boolean
  /** True if `reads.private` is `signed`: public reads then name no wallet. */
  readonly hidesWallets?: boolean
}

/** Answer with the position of the store. */
export interface HistoryReply extends Answer {
  /** True if the store has not reached the query's `min_seq`: repeat the query when it has. */
  readonly isLagging: boolean
  readonly seqMin: number
  /** Sequence of the last event in the store. */
  readonly seq: number
}

/** Answers the GET routes of the history store on a read-only connection of its own. */
export class HistoryQueries {
  readonly #database: HistoryDatabase
  readonly #refusesUnknown: boolean
  readonly #hidesWallets: boolean
  readonly #select: SelectAll

  constructor(
    dataDir: string,
    { refusesUnknown = false, hidesWallets = false }: HistoryRules = {},
  ) {
    this.#database = openHistoryReadOnly(dataDir)
    this.#select = selecting(this.#database)
    this.#refusesUnknown = refusesUnknown
    this.#hidesWallets = hidesWallets
  }

  /** Answers a query from one consistent state of the store. The answer has the sequence of that state. */
  answer(request: HistoryRequest): HistoryReply {
    const query = new QueryReader(request.query, this.#refusesUnknown)
    const seqMin = query.integer(['min_seq'], 0, Number.MAX_SAFE_INTEGER, 0)
    this.#database.exec('begin')
    try {
      const { seq, millis } = progressOf(this.#database)
      const nowMillis = Math.max(millis, request.nowMillis ?? 0)
      const [select, hidesWallets] = [this.#select, this.#hidesWallets]
      const source = { seq, nowMillis, lastEventMillis: millis, select, hidesWallets }
      const answer = routeOf(request.path)?.answer(query, source) ?? notFound('no such path')
      // Missing data may arrive with the awaited sequence, but a bad request stays bad.
      const mayChange = answer.status === 200 || answer.status === 404
      return { ...answer, isLagging: mayChange && seq < seqMin, seqMin, seq }
    } finally {
      this.#database.exec('commit')
    }
  }

  close(): void {
    this.#database.close()
  }
}

function routeOf(path: string): HistoryRoute | null {
  if (path === payoutsOwnedQuestion) return payoutsOwnedRoute
  if (path === quotePremiumQuestion) return quotePremiumRoute
  if (path === profileQuestion) return profileRoute
  if (path === realizedPnlQuestion) return realizedPnlRoute
  if (path === orderFillsQuestion) return orderFillsRoute
  if (path === orderRowQuestion) return orderRowRoute
  if (path.startsWith(tradePath)) return tradeRoute(path)
  if (path.startsWith(directivePath)) return directiveRoute(path)
  if (path.startsWith(rfqPath)) return rfqRoute(path)
  if (path.startsWith(referralCodePath)) return referralCodeRoute(path)
  const key = `GET ${path}`
  return Object.hasOwn(historyRoutes, key) ? historyRoutes[key as keyof typeof historyRoutes] : null
}
