import { signal } from '@preact/signals'
import { type OperatorAction, reaches } from '../model/operator-actions.js'
import { keptForTab } from './kept-text.js'
import { tell } from './notices.js'

// State of the operator page, and its requests to the operator interface on its own port, with the token that the user
// typed. The browser stores the token only for the tab.

/** Identity of the token. */
export interface Identity {
  readonly identity: string
  readonly scopes: readonly string[]
}

/** Shown fields of `GET /operator/state`. */
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
  /** Null if the system does not report it. */
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

/** One reading of the state. Shares and rates come from two successive readings. */
export interface Look {
  readonly millis: number
  readonly state: VenueState
}

/** Action that waits for its confirmation by the user. */
export interface Proposal {
  readonly action: OperatorAction
  readonly body: Readonly<Record<string, string | number>>
  /** Subject of the action, if the body has only its number. */
  readonly about?: Readonly<Record<string, unknown>>
}

export const identity = signal<Identity | null>(null)
export const isAsking = signal(false)
/** True if the venue answered the latest request. */
export const isAnswering = signal(false)
export const looks = signal<readonly [Look | null, Look | null]>([null, null])
export const names = signal<readonly PendingName[]>([])
/** Wallets in liquidation, the most advanced first. */
export const liquidations = signal<readonly LiquidationRow[]>([])
export const providers = signal<readonly ProviderRow[]>([])
export const approvals = signal<readonly Approval[]>([])
export const audit = signal<readonly AuditRow[]>([])
export const proposal = signal<Proposal | null>(null)

const tokenName = 'strikebook.operator-token'
const unauthorizedStatus = 401
const waitingStatus = 202
let token = ''
/** Numbers of the latest request for the state, and of the one that is shown: answers may overtake each other. */
let latestLook = 0
let shownLook = 0

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

/** Reads the identity of a token. @throws Error if the token is invalid. */
export async function signIn(given: string): Promise<void> {
  token = given.trim()
  // A header value and a token permit no other characters.
  if (!/^[\x21-\x7e]+$/.test(token)) throw new Error('A token has no spaces or special characters')
  isAsking.value = true
  try {
    const { body } = await ask('/operator/identity')
    identity.value = { identity: body.identity, scopes: body.scopes }
    if (!keptForTab.set(tokenName, token)) {
      tell('This browser blocks storage: reloading the page signs you out')
    }
  } finally {
    isAsking.value = false
  }
  await look()
}

/** Resumes with the token that this tab has stored. */
export async function resumeOperator(): Promise<void> {
  const kept = keptForTab.get(tokenName)
  if (kept !== null) await signIn(kept)
}

/** Removes the token, and all data that was read with it. */
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

/** Reloads everything that is shown. */
export async function look(): Promise<void> {
  const who = identity.value
  if (who === null || !reaches(who.scopes, 'read')) return
  const number = ++latestLook
  try {
    const [state, inLiquidation, waiting, mayQuote, wait, done] = await Promise.all([
      ask('/operator/state'),
      ask('/operator/liquidations?limit=100'),
      ask('/operator/usernames?limit=50'),
      ask('/operator/quote-providers'),
      ask('/operator/approvals'),
      ask('/operator/audit?limit=30'),
    ])
    // After a sign-out the answer is for another identity.
    if (identity.value !== who || number < shownLook) return
    shownLook = number
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

/** Performs a confirmed action. @throws Error with the venue's message if it fails. */
export async function perform({ action, body }: Proposal): Promise<void> {
  const { status, body: answer } = await ask(action.path, body)
  if (status === waitingStatus) tell(`Awaiting approval by another identity: ${answer.approval_id}`)
  else tell(answer.seq === undefined ? 'Done' : `Done, sequence ${answer.seq}`, 'good')
  await look()
}
