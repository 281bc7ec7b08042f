import { computed, signal } from '@preact/signals'
import { RateLimitError } from '../../client/client-error.js'
import { createNonceSource } from '../../client/nonce-source.js'
import { StreamClient } from '../../client/stream-client.js'
import { connectStrikebook, type StrikebookClient } from '../../client/strikebook-client.js'
import { shortAddress } from '../model/numbers.js'
import {
  browserWallet,
  switchChain,
  walletAccount,
  walletChain,
  watchWallet,
} from './browser-wallet.js'
import { askFaucet, demoKey, keptDemoKey } from './demo-key.js'
import { keptForSite } from './kept-text.js'
import { attempt, tell, tellFailure } from './notices.js'
import { rest, venueUrl } from './venue.js'

/** By what is signed: a key that the page has made and keeps, or the wallet of the browser. */
export type SessionKind = 'demo' | 'wallet'

/** A wallet that trades here. */
export interface Session {
  readonly kind: SessionKind
  readonly client: StrikebookClient
  /** Its private channels. */
  readonly stream: StreamClient
}

export const session = signal<Session | null>(null)
/** Text of a button that needs a wallet first. */
export const connectWords = 'Connect to trade'
export const isConnecting = signal(false)
const faucetWait = signal<{ readonly wallet: string; readonly untilMillis: number | null } | null>(
  null,
)
/** Time of the wallet's next grant of the faucet in Unix milliseconds; null: now, as far as the page knows. */
export const faucetAtMillis = computed(() => {
  const wait = faucetWait.value
  return wait !== null && wait.wallet === session.value?.client.wallet ? wait.untilMillis : null
})

const kindName = 'strikebook.session'

/** Goes on as who was here before. */
export async function resumeSession(): Promise<void> {
  const kind = keptForSite.get(kindName)
  const privateKey = keptDemoKey()
  if (kind === 'demo' && privateKey !== null) await begin('demo', { privateKey })
  else if (kind === 'wallet') await connectWallet(false)
}

/** Trades by a key of the page's own, made when there is none: paper money needs no better. */
export async function connectDemo(): Promise<void> {
  const { privateKey, isNew, isStored } = demoKey()
  await begin('demo', { privateKey })
  if (!isStored) {
    tell(
      'This browser stores nothing for the page: a reload loses the demo key and its money',
      'bad',
    )
  }
  if (isNew || !(await hasMoney(session.value!))) await askFunds()
}

/** Returns whether the wallet has money. A stored key has none if the page was closed before its first grant. */
async function hasMoney({ client }: Session): Promise<boolean> {
  return Number((await client.portfolio()).equity) !== 0
}

/**
 * Trades by the wallet of the browser.
 * @param isNew True: the wallet asks its owner, and selects the venue's chain.
 * @throws Error if there is no wallet, or its owner declines.
 */
export async function connectWallet(isNew: boolean): Promise<void> {
  const provider = browserWallet()
  if (provider === null) throw new Error('This browser has no wallet')
  isConnecting.value = true
  try {
    const account = await walletAccount(provider, isNew)
    if (account === null) return
    watchWallet(provider, { onAccount: (address) => void attempt(() => followAccount(address)) })
    await begin('wallet', { account })
  } finally {
    isConnecting.value = false
  }
}

/** Has the wallet select the venue's chain. */
export async function selectVenueChain(): Promise<void> {
  const provider = browserWallet()
  if (provider !== null) await switchChain(provider)
}

/** Trades for the account that the wallet shows now. @param address null: it shows none. */
async function followAccount(address: string | null): Promise<void> {
  const current = session.value
  if (current?.kind !== 'wallet' || address?.toLowerCase() === current.client.wallet) return
  leave()
  if (address === null) tell('The wallet is disconnected from this page')
  else {
    tell(`The wallet changed to ${shortAddress(address)}`)
    await connectWallet(false)
  }
}

/** Requests paper money from the faucet, and shows the wait until its next grant. */
export async function askFunds(): Promise<void> {
  const current = session.value!
  const { wallet } = current.client
  try {
    const { usd, nextMillis } = await askFaucet(venueUrl, wallet)
    faucetWait.value = { wallet, untilMillis: nextMillis }
    tell(`The faucet paid ${usd.toLocaleString('en-US')} USD`, 'good')
  } catch (error) {
    if (!(error instanceof RateLimitError)) throw error
    await waitForFaucet(current, error.retryAfterSeconds)
  }
}

/** Shows the wait after a refusal. A wallet without money then requests a grant automatically. */
async function waitForFaucet(current: Session, seconds: number): Promise<void> {
  const untilMillis = Date.now() + seconds * 1000
  faucetWait.value = { wallet: current.client.wallet, untilMillis }
  const isEmpty = !(await hasMoney(current))
  const then = isEmpty ? ' and then funds this wallet' : ''
  tell(`The faucet pays again in ${seconds} s${then}`)
  if (!isEmpty) return
  setTimeout(() => {
    if (session.value === current) void attempt(askFunds)
  }, untilMillis - Date.now())
}

/** Nobody trades here any more; a key of the page's own stays for the next time. */
export function leave(): void {
  session.value?.stream.close()
  session.value = null
  walletChain.value = null
  keptForSite.remove(kindName)
}

const nextNonce = createNonceSource()
const tabsMax = 1000
const tab = crypto.getRandomValues(new Uint32Array(1))[0]! % tabsMax

/** Nonces are microseconds in steps of a thousand: another tab with the same key has others between them. */
function nonceOfTab(): number {
  return nextNonce() + tab
}

type Signing = Pick<Parameters<typeof connectStrikebook>[0], 'privateKey' | 'account'>

async function begin(kind: SessionKind, signing: Signing): Promise<void> {
  isConnecting.value = true
  try {
    const options = { url: venueUrl, rateLimit: 'wait', nextNonce: nonceOfTab } as const
    const client = await connectStrikebook({ ...options, ...signing })
    session.value?.stream.close()
    const isSigned = await readsAreSigned()
    const sessions = isSigned ? { sessions: client.sessions } : {}
    const stream = new StreamClient({
      ...{ url: venueUrl, wallet: client.wallet, onError: tellFailure },
      ...sessions,
    })
    session.value = { kind, client, stream }
    keptForSite.set(kindName, kind)
  } finally {
    isConnecting.value = false
  }
}

/** Whether the venue tells a wallet's own only to who has signed for it: a wallet is not asked to for nothing. */
async function readsAreSigned(): Promise<boolean> {
  type Answer = { readonly private_reads: 'open' | 'signed' }
  return (await rest.request<Answer>('GET', '/exchange-info')).private_reads === 'signed'
}
