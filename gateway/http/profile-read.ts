import type { DataOf } from '../../schemas/interface/answer.js'
import type { ViewReadKey, viewReads } from '../../schemas/interface/reads.js'
import type { QueryHistory } from '../link/gateway-context.js'
import { profileQuestion, realizedPnlQuestion } from '../link/read-protocol.js'
import { type Answer, dataAnswer } from '../wire/answers.js'
import type { ProfilePast, ProfilePresent, RealizedSpan } from '../wire/profile-parts.js'

// Reads that combine the read model with the history. The gateway queries them in this order, so the history includes
// everything that the read model has returned.

/** Completes an answer of the read model, which is in envelope E2. */
type Continued = (first: First, ask: QueryHistory) => Promise<Answer>

type Profile = DataOf<(typeof viewReads)['GET /profile']>

interface First {
  readonly data: unknown
  readonly as_of_seq: number
}

const dayMillis = 86_400_000

/** By endpoint of the read model. */
const continuedReads: Readonly<Partial<Record<ViewReadKey, Continued>>> = {
  'GET /profile': profile,
  'GET /profile/realized-pnl': realizedPnl,
}

/** Completes an answer of the read model from the history. @returns Null if the answer is already complete. */
export function continueRead(
  endpoint: ViewReadKey,
  body: string | Uint8Array,
  ask: QueryHistory,
): Promise<Answer> | null {
  const continued = continuedReads[endpoint]
  if (continued === undefined) return null
  return continued(JSON.parse(Buffer.from(body).toString('utf8')) as First, ask)
}

async function profile({ data, as_of_seq }: First, ask: QueryHistory): Promise<Answer> {
  const { wallet, username, in_use, available, total, unrealized } = data as ProfilePresent
  const answer = await ask(profileQuestion, `wallet=${wallet}&min_seq=${as_of_seq}`)
  if (answer.status !== 200) return answer
  const { data: past } = JSON.parse(answer.body) as { readonly data: ProfilePast }
  const { firstMillis, nowMillis, deposits, withdraws, pnlOfDay, lifetimeRealized } = past
  const age = firstMillis === null ? null : Math.floor((nowMillis - firstMillis) / dayMillis)
  const whole: Profile = {
    ...{ wallet, account_wallet: wallet, username },
    ...{ account_first_seen_ts_ms: firstMillis, account_age_days: age },
    margin: { in_use, available, total, deposits, withdraws },
    pnl: { unrealized, pnl_24h: pnlOfDay, lifetime_realized: lifetimeRealized },
  }
  return dataAnswer(whole, as_of_seq)
}

function realizedPnl({ data, as_of_seq }: First, ask: QueryHistory): Promise<Answer> {
  const { wallet, from, to } = data as RealizedSpan
  const bounds = [from === null ? '' : `&from_ts_ms=${from}`, to === null ? '' : `&to_ts_ms=${to}`]
  return ask(realizedPnlQuestion, `wallet=${wallet}&min_seq=${as_of_seq}${bounds.join('')}`)
}
