import { signal } from '@preact/signals'
import { type OperatorAction, reaches } from '../model/operator-actions.js'
import { keptForTab } from './kept-text.js'
import { tell } from './notices.js'

// What the operator's page knows, and how it asks: by the operator interface of the port that it came from, with the
// token that was typed in. The browser keeps that one as long as the tab is there, and nowhere else.

/** Whose token it is. */
export interface Identity {
  readonly identity: string
  readonly scopes: readonly string[]
}

/** What of `GET /operator/state` is shown. */
export interface VenueState {
  readonly ready: boolean
  readonly draining: boolean
  readonly seq: number
  readonly batch_number: number
  readonly state_hash: string
  readonly threads: readonly ThreadRow[]
  readonly rings: Readonly<Record<string, number>>
  readonly journal: {
    readonly batch_number: number
    readonly bytes: number
    readonly snapshot_batch_number: number
    readonly flushes: number
    readonly flush_ms: number
    readonly flush_ms_max: number
  }
  readonly history: { readonly seq: number }
  readonly clock: { readonly alarm: boolean; readonly ahead_ms: number; readonly offset_ms: number }
  readonly invariants: {
    readonly looks: number
    readonly batch_number: number
    readonly breaches: readonly {
      readonly invariant: string
      readonly text: string
      readonly wallet?: string
    }[]
  }
  readonly halts: readonly { readonly underlying: string; readonly mode: string }[] | null
  readonly venue: {
    readonly funds: Readonly<Record<string, string>>
    readonly liquidations: Readonly<Record<string, number>>
    readonly expiries_pending: {
      readonly count: number
      readonly expiries: readonly { readonly underlying: string; readonly expiry: number }[]
    }
  } | null
}

export interface ThreadRow {
  readonly role: string
  readonly thread_id: number
  readonly heartbeat_ms: number
  /** null: the system does not say. */
  readonly processor_seconds: number | null
}

export interface PendingName {
  readonly wallet: string
  readonly requested_username: string
  readonly username: string | null
}

export interface LiquidationRow {
  readonly wallet: string
  readonly state: string
  readonly liquidation_mode: string | null
  readonly waits_for_mark: boolean
  readonly timers_stand: boolean
  readonly entered_ts_ms: number | null
  readonly deadline_ts_ms: number | null
  readonly equity: string
  readonly mm_required: string
  readonly shortfall: string
}

export interface ProviderRow {
  readonly wallet: string
  readonly status: string
  readonly sessions: number
}

export interface Approval {
  readonly approval_id: string
  readonly path: string
  readonly body: unknown
  readonly requested_by: string
  readonly expires_ts_ms: number
}

export interface AuditRow {
  readonly id: number
  readonly time_ms: number
  readonly outcome: string
  readonly identity: string | null
  readonly path: string
  readonly body: unknown
  readonly code: string | null
  readonly seq: number | null
}

/** Two looks in a row, since shares and rates are of the time between them. */
export interface Look {
  readonly millis: number
  readonly state: VenueState
}

/** An action that waits for whoever asked for it to confirm it. */
export interface Proposal {
  readonly action: OperatorAction
  readonly body: Readonly<Record<string, string | number>>
  /** What it is about, where the body has only the number of that. */
  readonly about?: Readonly<Record<string, unknown>>
}

export const identity = signal<Identity | null>(null)
export const isAsking = signal(false)
/** Whether the venue has answered the latest look. */
export const isAnswering = signal(false)
export const looks = signal<readonly [Look | null, Look | null]>([null, null])
export const names = signal<readonly PendingName[]>([])
/** The furthest first. */
export const liquidations = signal<readonly LiquidationRow[]>([])
export const providers = signal<readonly ProviderRow[]>([])
export const approvals = signal<readonly Approval[]>([])
export const audit = signal<readonly AuditRow[]>([])
export const proposal = signal<Proposal | null>(null)

const tokenName = 'strikebook.operator-token'
const unauthorizedStatus = 401
const waitingStatus = 202
let token = ''

interface Answered {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: each caller names what it asks for
  readonly body: any
}

async function ask(path: string, body?: unknown): Promise<Answered> {
  const init: RequestInit = {
    method: body === undefined ? 'GET' : 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    cache: 'no-store',
    credentials: 'omit',
    redirect: 'error',
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  }
  const response = await fetch(path, init)
  const answer: Answered = { status: response.status, body: await response.json() }
  if (answer.status === unauthorizedStatus) signOut()
  if (!response.ok) throw new Error(`${answer.body.message} (${answer.body.code})`)
  return answer
}

/** Finds out whose token it is. @throws Error when it is nobody's. */
export async function signIn(given: string): Promise<void> {
  token = given.trim()
  // No header may hold anything else, and no token does.
  if (!/^[\x21-\x7e]+$/.test(token)) throw new Error('A token is text without spaces')
  isAsking.value = true
  try {
    const { body } = await ask('/operator/identity')
    identity.value = { identity: body.identity, scopes: body.scopes }
    if (!keptForTab.set(tokenName, token)) {
      tell('This browser stores nothing for the tab: a reload signs you out')
    }
  } finally {
    isAsking.value = false
  }
  await look()
}

/** Goes on as who was here before, in this tab. */
export async function resumeOperator(): Promise<void> {
  const kept = keptForTab.get(tokenName)
  if (kept !== null) await signIn(kept)
}

/** Forgets the token and all that was told by it. */
export function signOut(): void {
  token = ''
  keptForTab.remove(tokenName)
  identity.value = null
  proposal.value = null
  looks.value = [null, null]
  names.value = []
  liquidations.value = []
  providers.value = []
  approvals.value = []
  audit.value = []
}

/** Asks for everything that is shown. */
export async function look(): Promise<void> {
  const who = identity.value
  if (who === null || !reaches(who.scopes, 'read')) return
  try {
    const [state, inLiquidation, waiting, mayQuote, wait, done] = await Promise.all([
      ask('/operator/state'),
      ask('/operator/liquidations?limit=100'),
      ask('/operator/usernames?limit=50'),
      ask('/operator/quote-providers'),
      ask('/operator/approvals'),
      ask('/operator/audit?limit=30'),
    ])
    // Signed out meanwhile, by whom it was asked for is not who looks.
    if (identity.value !== who) return
    looks.value = [looks.value[1], { millis: performance.now(), state: state.body }]
    names.value = waiting.body.data
    liquidations.value = inLiquidation.body.data
    providers.value = mayQuote.body.data
    approvals.value = wait.body.data
    audit.value = done.body.data
    isAnswering.value = true
  } catch (error) {
    isAnswering.value = false
    throw error
  }
}

/** Does what was confirmed. @throws Error with the venue's words when it is refused. */
export async function perform({ action, body }: Proposal): Promise<void> {
  const { status, body: answer } = await ask(action.path, body)
  if (status === waitingStatus) tell(`Waits for another identity: ${answer.approval_id}`)
  else tell(answer.seq === undefined ? 'Done' : `Done, sequence ${answer.seq}`, 'good')
  await look()
}
