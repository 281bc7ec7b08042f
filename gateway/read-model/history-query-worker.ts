import { HistoryQueries, type HistoryReply, type HistoryRequest } from './history-query.js'

// Runs in a worker of the history pool.

/** A query, and the folder of the store, which is the same in every task of a pool. */
export interface HistoryTask extends HistoryRequest {
  readonly dataDir: string
}

let queries: HistoryQueries | null = null

/** One task of the pool; the connection stays open until the worker ends. */
export function runHistoryQuery(task: HistoryTask): HistoryReply {
  queries ??= new HistoryQueries(task.dataDir)
  return queries.answer(task)
}
