import { Result } from '../../schemas/results.js'
import type { Answer } from '../wire/answers.js'
import { Fault } from '../wire/fault.js'
import { readerOf } from '../wire/parameter-readers.js'
import { QueryReader } from '../wire/query-reader.js'
import type { AuditLog } from './audit-log.js'
import { auditRead } from './operator-endpoints.js'
import { faultAnswer } from './refused-answer.js'

const readQuery = readerOf(auditRead.query)

/** GET /operator/audit: what operators have done, the newest first. */
export async function auditAnswer(audit: AuditLog, query: string): Promise<Answer> {
  const reader = new QueryReader(query, true)
  const { cursor, limit, ...filter } = readQuery(reader)
  const { refusal } = reader
  if (refusal !== null) return faultAnswer(new Fault(refusal.result, {}, refusal.message))
  const page = await audit.page(cursor, limit, filter)
  if (page === null) {
    return faultAnswer(new Fault(Result.InvalidParameter, {}, 'cursor is none of next_cursor'))
  }
  const next = page.nextCursor === null ? null : String(page.nextCursor)
  const pageText = { limit, next_cursor: next, has_more: next !== null }
  return { status: 200, body: JSON.stringify({ ok: true, data: page.rows, page: pageText }) }
}
