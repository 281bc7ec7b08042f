import { errorOf } from '../../../engine/threads/error-of.js'
import { HistoryQueries, type HistoryReply, type HistoryRequest } from './history-query.js'

// Runs in a worker of the history pool.

/** A query, and what is the same in every task of a pool. */
export interface HistoryTask extends HistoryRequest {
  /** Folder of the store. */
  readonly dataDir: string
  /** `compat.unknownFields`. */
  readonly refusesUnknown: boolean
  /** Whether `reads.private` is `signed`. */
  readonly hidesWallets: boolean
  /** Which store it is: another one was put into its place when it differs. */
  readonly storeNumber: number
}

/** What a query comes back with when the store itself is at fault, in words. */
export interface HistoryFault {
  readonly fault: string
}

let queries: HistoryQueries | null = null
let storeNumber = -1

const faults = /^SQLITE_(CORRUPT|NOTADB|IOERR|CANTOPEN)/

/** One task of the pool; the connection stays open until the worker ends. */
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
