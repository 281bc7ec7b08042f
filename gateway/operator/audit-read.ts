import { type OperatorAnswer, operatorRows } from '../../schemas/interface/operator.js'
import { Result } from '../../schemas/results.js'
import type { Answer } from '../wire/answers.js'
import { Fault } from '../wire/fault.js'
import { readerOf } from '../wire/parameter-readers.js'
import { QueryReader } from '../wire/query-reader.js'
import type { AuditLog } from './audit-log.js'
import { faultAnswer } from './refused-answer.js'

const row = operatorRows['GET /operator/audit']
const readQuery = readerOf(row.query)

/** Answers GET /operator/audit. */
export async function auditAnswer(audit: AuditLog, query: string): Promise<Answer> {
  const reader = new QueryReader(query, true)
  const { cursor, limit, ...filter } = readQuery(reader)
  const { refusal } = reader
  if (refusal !== null) return faultAnswer(new Fault(refusal.result, {}, refusal.message))
  const page = await audit.page(cursor, limit, filter)
  if (page === null) {
    return faultAnswer(
      new Fault(Result.InvalidParameter, {}, 'cursor must be the next_cursor of a previous page'),
    )
  }
  const next = page.nextCursor === null ? null : String(page.nextCursor)
  const body: OperatorAnswer<'GET /operator/audit'> = {
    ok: true,
    data: page.rows,
    page: { limit, next_cursor: next, has_more: next !== null },
  }
  return { status: 200, body: JSON.stringify(body) }
}
