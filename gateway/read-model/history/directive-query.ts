import { formatMicros } from '../../../schemas/decimal.js'
import {
  DirectiveAction,
  DomainStatus,
  deliveryStatusNames,
  directiveActionNames,
  domainStatusNames,
  type transferStatuses,
  type transferTypes,
} from '../../../schemas/domain.js'
import { Envelope } from '../../../schemas/interface/answer.js'
import type { Directive } from '../../../schemas/interface/money.js'
import type { ValuesOf } from '../../../schemas/interface/parameter.js'
import { directivePath } from '../../../schemas/interface/paths.js'
import { historyReads } from '../../../schemas/interface/reads.js'
import { Result } from '../../../schemas/results.js'
import { bareAnswer, refusedAnswer } from '../../wire/answers.js'
import { route } from '../../wire/route.js'
import { directives } from './history-tables.js'
import {
  type Condition,
  type HistoryRoute,
  type HistorySource,
  isOneOf,
  query,
  shown,
} from './select.js'
import type { Row } from './table.js'

type TransferFilter = ValuesOf<(typeof historyReads)['GET /v1/transfers']['query']>
type TransferStatus = (typeof transferStatuses)[number]

/** Deposit or withdrawal, in a common form. */
interface TransferRecord {
  readonly seq: number
  readonly id: string
  readonly type: (typeof transferTypes)[number]
  readonly amountMicros: number
  readonly millis: number
  /** Null for deposits. */
  readonly domain: DomainStatus | null
  readonly delivery: number | null
  readonly txHash: string | null
}

/** The only asset. */
const assetSymbol = 'USDC'
const transferStatusOf: Readonly<Record<DomainStatus, TransferStatus>> = {
  [DomainStatus.Accepted]: 'pending',
  [DomainStatus.Rejected]: 'failed',
  [DomainStatus.PendingChainEffect]: 'pending',
  [DomainStatus.PendingManualReview]: 'manual_review',
  [DomainStatus.Completed]: 'completed',
  [DomainStatus.Failed]: 'failed',
}

const directiveRows = {
  ...query(directives, [], directiveRow),
  order: 'directives.seq desc, directives.directive_id desc',
}
const deposits =
  "select seq, cast(seq as text) as id, 'deposit' as type, amount_micros as amountMicros, millis, " +
  'null as domain, null as delivery, null as txHash from transfers'
const withdrawals =
  "select seq, directive_id as id, 'withdrawal' as type, amount_micros as amountMicros, " +
  'created_millis as millis, domain, delivery, tx_hash as txHash from directives'

/** Returns a wallet's withdrawals, newest first. */
export function withdrawalsOf(
  source: HistorySource,
  wallet: string,
  limit: number,
): readonly Directive[] {
  const conditions = [['wallet = ?', wallet] as const, isWithdrawal]
  return shown(source, directiveRows, conditions, { limit, offset: 0 })
}

/** Returns the route GET /v1/directives/:id. */
export function directiveRoute(path: string): HistoryRoute {
  const id = path.slice(directivePath.length).toLowerCase()
  return route(historyReads[`GET ${directivePath}`], ({ wallet }, source: HistorySource) => {
    const owned: readonly Condition[] = wallet === null ? [] : [['wallet = ?', wallet]]
    const conditions = [['directive_id = ?', id] as const, ...owned]
    const [found] = shown(source, directiveRows, conditions, { limit: 1, offset: 0 })
    if (found !== undefined) return bareAnswer(found, source.seq)
    return refusedAnswer(Envelope.Bare, { result: Result.NotFound, message: 'no such directive' })
  })
}

/** Returns a wallet's deposits and withdrawals after the cursor, newest first, each with its sequence. */
export function transfersOf(
  source: HistorySource,
  filter: TransferFilter,
): readonly { readonly seq: number; readonly row: TransferRow }[] {
  const { asset, limit } = filter
  if (asset !== null && !asset.includes(assetSymbol)) return []
  const parts = [depositsOf(filter), ofDirectives(filter)].filter((part) => part !== null)
  if (parts.length === 0) return []
  const sorted = 'order by seq desc, id desc limit ?'
  const texts = parts.map(([sql]) => `select * from (${sql} ${sorted})`)
  const values = parts.flatMap(([, ...ofPart]) => [...ofPart, limit])
  const sql = `${texts.join(' union all ')} ${sorted}`
  return source
    .select<TransferRecord>(sql, [...values, limit])
    .map((record) => ({ seq: record.seq, row: transferRow(record) }))
}

const isWithdrawal: Condition = ['action = ?', DirectiveAction.SendAsset]

/** Returns the query of deposits. They are published once credited, so all are completed. */
function depositsOf(filter: TransferFilter): Condition | null {
  if (filter.transaction_type?.includes('deposit') === false) return null
  if (filter.status?.includes('completed') === false) return null
  return matching(deposits, [
    ['wallet = ?', filter.wallet],
    ...afterCursor(filter, 'cast(seq as text)'),
  ])
}

function ofDirectives(filter: TransferFilter): Condition | null {
  if (filter.transaction_type?.includes('withdrawal') === false) return null
  const domains = Object.values(DomainStatus).filter(
    (domain) => filter.status?.includes(transferStatusOf[domain]) ?? true,
  )
  if (domains.length === 0) return null
  return matching(withdrawals, [
    ['wallet = ?', filter.wallet],
    isWithdrawal,
    isOneOf('domain', domains),
    ...afterCursor(filter, 'directive_id'),
  ])
}

function afterCursor({ cursor }: TransferFilter, id: string): readonly Condition[] {
  return cursor === null ? [] : [[`(seq, ${id}) < (?, ?)`, cursor.seq, cursor.id]]
}

function matching(select: string, conditions: readonly Condition[]): Condition {
  const where = conditions.map(([sql]) => sql).join(' and ')
  return [`${select} where ${where}`, ...conditions.flatMap(([, ...values]) => values)]
}

function directiveRow(directive: Row<typeof directives>): Directive {
  return {
    directive_id: directive.directiveId,
    action_key: directiveActionNames[directive.action]!,
    domain_status: domainStatusNames[directive.domain]!,
    delivery_status: deliveryStatusNames[directive.delivery]!,
    tx_hash: directive.txHash,
    created_at: new Date(directive.createdMillis).toISOString(),
  }
}

type TransferRow = ReturnType<typeof transferRow>

function transferRow({ id, type, domain, ...record }: TransferRecord) {
  const isDeposit = domain === null
  return {
    id,
    transaction_type: type,
    subtype: isDeposit ? 'usdc_deposit' : 'usdc_withdrawal',
    asset_type: 'token',
    asset_symbol: assetSymbol,
    amount: formatMicros(record.amountMicros),
    status: isDeposit ? 'completed' : transferStatusOf[domain],
    domain_status: isDeposit ? null : domainStatusNames[domain],
    delivery_status: record.delivery === null ? null : deliveryStatusNames[record.delivery]!,
    tx_hash: record.txHash,
    tx_hash_type: isDeposit ? 'hyper_evm' : 'hypercore',
    created_at: new Date(record.millis).toISOString(),
  }
}
