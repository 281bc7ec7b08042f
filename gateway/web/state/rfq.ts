import { effect, signal } from '@preact/signals'
import type { RfqLegTerms, SideName } from '../../../schemas/wire-types.js'
import type { RfqRow } from '../../client/answer-types.js'
import { StrikebookError } from '../../client/client-error.js'
import type { StreamMessages } from '../../client/generated/interface.js'
import { signAcceptRfqQuote, signRfqFrame } from '../../client/signed-actions.js'
import type { RfqStatusUpdate } from '../../client/stream-types.js'
import { comboFault, withLeg } from '../model/combo-legs.js'
import { optionOf } from '../model/symbol-text.js'
import { chosenSymbol, part } from './choice.js'
import { tell } from './notices.js'
import { gathered } from './periodic.js'
import { type Session, session } from './session.js'

/** Quote for a combo. */
export interface Quote {
  readonly quote_id: string
  readonly net_premium: string
  readonly expires_at: number
}

/** Current request for quote, or the last one. */
export interface LiveRfq {
  readonly id: string
  readonly status: string
  readonly reason: string | null
  readonly quotes: readonly Quote[]
  /** End of the request in Unix milliseconds by the venue's clock; null: not known yet. */
  readonly expiresAtMillis: number | null
  /** Milliseconds by which the clock of this machine is ahead of the venue's. */
  readonly clockAheadMillis: number
}

const rowsMax = 20
const refreshMillis = 300
const finals = ['executed', 'no_quotes', 'expired', 'failed']

/** Legs of the combo in the form. */
export const legs = signal<readonly RfqLegTerms[]>([])
/** Limit for automatic execution of the first quote within it; empty: no automatic execution. */
export const limit = signal('')
export const liveRfq = signal<LiveRfq | null>(null)
/** Requests of the wallet, the latest first. */
export const rfqs = signal<readonly RfqRow[]>([])

export function isFinal(status: string): boolean {
  return finals.includes(status)
}

/** Converts a time of the venue to the clock of this machine. */
export function hereMillis(venueMillis: number | null, live: LiveRfq): number | null {
  return venueMillis === null ? null : venueMillis + live.clockAheadMillis
}

export function addLeg(symbol: string | null, side: SideName): void {
  if (symbol === null) return
  legs.value = withLeg(legs.value, symbol, side)
}

/** Adds the chosen option as a leg, and shows the panel. */
export function addChosen(side: SideName): void {
  addLeg(optionOf(chosenSymbol.value), side)
  part.value = 'panel'
}

export function startRfq(): void {
  effect(() => {
    const current = session.value
    return current === null ? undefined : keepRfqs(current)
  })
}

/** Sends the request for quote to all providers. */
export async function requestQuotes(): Promise<void> {
  const { client, stream } = session.value!
  const fault = comboFault(legs.value, limit.value.trim())
  if (fault !== null) throw new Error(fault)
  const id = newId()
  const bound = limit.value.trim() === '' ? {} : { autoAcceptLimit: limit.value.trim() }
  const terms = { rfqId: id, legs: legs.value, ...bound }
  const unknown = { reason: null, quotes: [], expiresAtMillis: null, clockAheadMillis: 0 }
  liveRfq.value = { id, status: 'created', ...unknown }
  try {
    takeStatus(await stream.submitRfq(signRfqFrame(client.context, terms, client.nextNonce())))
  } catch (error) {
    // The wallet declined to sign, so nothing was sent.
    if (!(error instanceof StrikebookError) && liveRfq.peek()?.id === id) liveRfq.value = null
    throw error
  }
}

/** Accepts a quote: all legs trade, or none. */
export async function acceptQuote({ quote_id, net_premium }: Quote): Promise<void> {
  const { client, stream } = session.value!
  const terms = { rfqId: liveRfq.value!.id, quoteId: quote_id, netPremium: net_premium }
  const body = signAcceptRfqQuote(client.context, terms, client.nextNonce())
  const { status, reason } = await stream.acceptRfqQuote(body)
  // Each leg is a fill with its own notice.
  if (status !== 'executed') tell(`Quote not executed: ${reason ?? status}`, 'bad')
}

function keepRfqs({ client, stream }: Session): () => void {
  const refresh = gathered(refreshMillis, async () => {
    const rows = await client.rfqs({ limit: rowsMax })
    if (session.peek()?.client === client) rfqs.value = rows
  })
  const end = stream.listen({
    onMessage: (message) => {
      if (message.type === 'RfqStatusUpdate') takeStatus(message)
      else if (message.type === 'RfqQuotes') takeQuotes(message)
      else return
      refresh()
    },
    onConnected: refresh,
  })
  const unsubscribe = stream.subscribe('rfq')
  refresh()
  return () => {
    end()
    unsubscribe()
    liveRfq.value = null
    rfqs.value = []
  }
}

function takeStatus({
  rfq_id,
  status,
  reason,
  expires_at: expiresAt,
  timestamp,
}: RfqStatusUpdate | StreamMessages['RfqStatusUpdate']): void {
  const live = liveRfq.peek()
  if (live === null || rfq_id !== live.id || isFinal(live.status)) return
  const quotes = isFinal(status) ? [] : live.quotes
  const expiresAtMillis = expiresAt ?? live.expiresAtMillis
  const clockAheadMillis = Date.now() - timestamp
  const changes = { status, reason: reason ?? null, quotes, expiresAtMillis, clockAheadMillis }
  liveRfq.value = { ...live, ...changes }
}

function takeQuotes({ rfq_id, status, quotes }: StreamMessages['RfqQuotes']): void {
  const live = liveRfq.peek()
  if (live === null || rfq_id !== live.id || isFinal(live.status)) return
  liveRfq.value = { ...live, status, quotes }
}

/** Creates a UUID. `crypto.randomUUID` exists only in secure contexts, which a page over HTTP is not. */
function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  bytes[6] = (bytes[6]! & 0x0f) | 0x40
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}
