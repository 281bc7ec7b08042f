import { formatUsd } from '../../../schemas/decimal.js'
import { Envelope } from '../../../schemas/interface/answer.js'
import { referralCodePath } from '../../../schemas/interface/paths.js'
import { historyReads } from '../../../schemas/interface/reads.js'
import type { ReferralCode } from '../../../schemas/interface/referrals.js'
import { type Answer, bareAnswer, type Page } from '../../wire/answers.js'
import { referralCodeJson, referralCodeOf } from '../../wire/referral-text.js'
import { route } from '../../wire/route.js'
import { notFound } from './not-found.js'
import { fillEntries, lastSummed } from './profit-sums.js'
import { type HistoryRoute, type HistorySource, isAmong, type SelectAll } from './select.js'
import { addVolume, type Volume } from './volume-sums.js'

interface CodeRow {
  readonly code: string
  readonly wallet: string
  readonly createdMillis: number
}

interface ReferredRow {
  readonly wallet: string
  readonly volumeUsd: number
  readonly volumeMicros: number
}

interface TradedRow {
  readonly wallet: string
  readonly notionalMicros: number
}

const codeColumns = 'select code, wallet, created_millis as createdMillis from referrals'

/** Answers with the referrer of a wallet. */
export function bindingAnswer(wallet: string, { seq, select }: HistorySource): Answer {
  const sql = 'select referrer from referrals where wallet = ?'
  const referrer = select<{ referrer: string | null }>(sql, [wallet])[0]?.referrer ?? null
  return bareAnswer({ referred_wallet: wallet, referrer_wallet: referrer }, seq)
}

/** Answers with the code of a wallet, or `null`. */
export function ownCodeAnswer(wallet: string, { seq, select }: HistorySource): Answer {
  const sql = `${codeColumns} where wallet = ? and code is not null`
  const row = select<CodeRow>(sql, [wallet])[0]
  return row === undefined ? { status: 200, body: 'null' } : codeAnswer(row, seq)
}

/** Returns the route that answers with the owner of a code, in any equivalent spelling. */
export function referralCodeRoute(path: string): HistoryRoute {
  return route(historyReads[`GET ${referralCodePath}`], (_, source: HistorySource) => {
    const code = codeInPath(path)
    const sql = `${codeColumns} where code = ?`
    const row = code === null ? undefined : source.select<CodeRow>(sql, [code])[0]
    if (row === undefined) return notFound('Referral code not found', Envelope.Bare)
    return codeAnswer(row, source.seq)
  })
}

/** Answers with the wallets that a wallet referred, latest first, and their volumes. */
export function referredAnswer(wallet: string, page: Page, { seq, select }: HistorySource): Answer {
  const sql =
    'select r.wallet as wallet, coalesce(v.volume_usd, 0) as volumeUsd, ' +
    'coalesce(v.volume_micros, 0) as volumeMicros from referrals r ' +
    'left join wallet_volumes v on v.wallet = r.wallet ' +
    'where r.referrer = ? order by r.number desc limit ? offset ?'
  const rows = select<ReferredRow>(sql, [wallet, page.limit, page.offset])
  const pending = pendingVolumes(
    select,
    rows.map((row) => row.wallet),
  )
  const data = rows.map((row) => {
    const volume = { usd: row.volumeUsd, micros: row.volumeMicros }
    const { usd, micros } = pending.get(row.wallet) ?? { usd: 0, micros: 0 }
    addVolume(volume, micros)
    return {
      referred_wallet: row.wallet,
      volume_usd: formatUsd(volume.usd + usd, volume.micros),
    }
  })
  const pagination = { limit: page.limit, offset: page.offset, count: data.length }
  return bareAnswer({ referrer_wallet: wallet, data, pagination }, seq)
}

/** Returns the volumes of wallets that are not in the sums yet. */
function pendingVolumes(
  select: SelectAll,
  wallets: readonly string[],
): ReadonlyMap<string, Volume> {
  const volumes = new Map<string, Volume>()
  const [isTheirs, ...theirs] = isAmong('wallet', wallets)
  const sql =
    'select wallet, notional_micros as notionalMicros from fills ' +
    `where ${isTheirs} and fill_id > ${lastSummed(fillEntries)}`
  for (const { wallet, notionalMicros } of select<TradedRow>(sql, theirs)) {
    const sum = volumes.get(wallet) ?? { usd: 0, micros: 0 }
    addVolume(sum, notionalMicros)
    volumes.set(wallet, sum)
  }
  return volumes
}

function codeAnswer({ code, wallet, createdMillis }: CodeRow, seq: number): Answer<ReferralCode> {
  return bareAnswer(referralCodeJson(code, wallet, createdMillis), seq)
}

/** Returns the code at the end of the path, unescaped; null: not a code. */
function codeInPath(path: string): string | null {
  try {
    return referralCodeOf(decodeURIComponent(path.slice(referralCodePath.length)))
  } catch {
    return null
  }
}
