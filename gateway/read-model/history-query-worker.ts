import { workerData } from 'node:worker_threads'
import { HistoryQueries, type HistoryReply, type HistoryRequest } from './history-query.js'

// Runs in a worker of the history pool.

const { dataDir } = workerData as { readonly dataDir: string }
let queries: HistoryQueries | null = null

/** One task of the pool. */
export function runHistoryQuery(request: HistoryRequest): HistoryReply {
  queries ??= new HistoryQueries(dataDir)
  return queries.answer(request)
}
