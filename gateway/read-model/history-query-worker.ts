import { HistoryQueries, type HistoryReply, type HistoryRequest } from './history-query.js'

// Runs in a worker of the history pool.

/** A query, and what is the same in every task of a pool. */
export interface HistoryTask extends HistoryRequest {
  /** Folder of the store. */
  readonly dataDir: string
  /** `compat.unknownFields`. */
  readonly refusesUnknown: boolean
}

let queries: HistoryQueries | null = null

/** One task of the pool; the connection stays open until the worker ends. */
export function runHistoryQuery(task: HistoryTask): HistoryReply {
  queries ??= new HistoryQueries(task.dataDir, task.refusesUnknown)
  return queries.answer(task)
}
