import { errorOf } from '../../../engine/threads/error-of.js'
import { HistoryQueries, type HistoryReply, type HistoryRequest } from './history-query.js'

// Runs in a worker of the history pool.

/** Query with the settings of its pool. */
export interface HistoryTask extends HistoryRequest {
  /** Folder of the store. */
  readonly dataDir: string
  /** `compat.unknownFields`. */
  readonly refusesUnknown: boolean
  /** True if `reads.private` is `signed`. */
  readonly hidesWallets: boolean
  /** Number of the store. A different number means that the store was replaced. */
  readonly storeNumber: number
}

/** Reply to a query that failed because the store is broken. */
export interface HistoryFault {
  readonly fault: string
}

let queries: HistoryQueries | null = null
let storeNumber = -1

const faults = /^SQLITE_(CORRUPT|NOTADB|IOERR|CANTOPEN)/

/** Runs one task of the pool. The connection stays open until the worker ends. */
export function runHistoryQuery(task: HistoryTask): HistoryReply | HistoryFault {
  if (task.storeNumber !== storeNumber) {
    queries?.close()
    queries = null
    storeNumber = task.storeNumber
  }
  try {
    queries ??= new HistoryQueries(task.dataDir, task)
    return queries.answer(task)
  } catch (error) {
    if (!faults.test(String((error as { code?: unknown }).code))) throw error
    return { fault: errorOf(error).message }
  }
}
