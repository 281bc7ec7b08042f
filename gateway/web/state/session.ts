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
import { demoKey, keptDemoKey, requestFaucet } from './demo-key.js'
import { keptForSite } from './kept-text.js'
import { attempt, showFailure, tell } from './notices.js'
import { rest, venueUrl } from './venue.js'

/** Signer of a session: a key that the page has created and stored, or the browser's wallet. */
export type SessionKind = 'demo' | 'wallet'

/** Session of a wallet. */
export interface Session {
  readonly kind: SessionKind
  readonly client: StrikebookClient
  /** Stream of its private channels. */
  readonly stream: StreamClient
}

export const session = signal<Session | null>(null)
/** Text of a button that needs a wallet first. */
export const connectWords = 'Connect to trade'
export const isConnecting = signal(false)
const faucetWait = signal<{ readonly wallet: string; readonly untilMillis: number | null } | null>(
  null,
)
/** Time of the next faucet grant in Unix milliseconds; null: now, as far as the page knows. */
export const faucetAtMillis = computed(() => {
  const wait = faucetWait.value
  return wait !== null && wait.wallet === session.value?.client.wallet ? wait.untilMillis : null
})

const kindName = 'strikebook.session'

/** Resumes the stored session. */
export async function resumeSession(): Promise<void> {
  const kind = keptForSite.get(kindName)
  const privateKey = keptDemoKey()
  if (kind === 'demo' && privateKey !== null) await begin('demo', { privateKey })
  else if (kind === 'wallet') await connectWallet(false)
}

/** Connects with the page's own key, and creates it if there is none. That is safe enough for paper money. */
export async function connectDemo(): Promise<void> {
  const { privateKey, isNew, isStored } = demoKey()
  await begin('demo', { privateKey })
  if (!isStored) {
    tell(
      'This browser blocks storage: reloading the page loses the demo wallet and its funds',
      'bad',
    )
  }
  if (isNew || !(await hasMoney(session.value!))) await requestFunds()
}

/** Returns true if the wallet has money. A stored key has none if the page was closed before its first grant. */
async function hasMoney({ client }: Session): Promise<boolean> {
  return Number((await client.portfolio()).equity) !== 0
}

/**
 * Connects with the browser's wallet.
 * @param isNew True: the wallet asks its owner, and selects the venue's chain.
 * @throws Error if there is no wallet, or its owner declines.
 */
export async function connectWallet(isNew: boolean): Promise<void> {
  const provider = browserWallet()
  if (provider === null) throw new Error('No wallet extension found in this browser')
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

/** Asks the wallet to select the venue's chain. */
export async function selectVenueChain(): Promise<void> {
  const provider = browserWallet()
  if (provider !== null) await switchChain(provider)
}

/** Switches the session to the wallet's current account. @param address null: it exposes none. */
async function followAccount(address: string | null): Promise<void> {
  const current = session.value
  if (current?.kind !== 'wallet' || address?.toLowerCase() === current.client.wallet) return
  leave()
  if (address === null) tell('Wallet disconnected')
  else {
    tell(`Switched to wallet ${shortAddress(address)}`)
    await connectWallet(false)
  }
}

/** Requests paper money from the faucet, and shows the wait until its next grant. */
export async function requestFunds(): Promise<void> {
  const current = session.value!
  const { wallet } = current.client
  try {
    const { usd, nextMillis } = await requestFaucet(venueUrl, wallet)
    faucetWait.value = { wallet, untilMillis: nextMillis }
    tell(`The faucet credited ${usd.toLocaleString('en-US')} USD`, 'good')
  } catch (error) {
    if (!(error instanceof RateLimitError)) throw error
    await waitForFaucet(current, error.retryAfterSeconds)
  }
}

/** Shows the wait after a rate-limited request. A wallet without money then requests a grant automatically. */
async function waitForFaucet(current: Session, seconds: number): Promise<void> {
  const untilMillis = Date.now() + seconds * 1000
  faucetWait.value = { wallet: current.client.wallet, untilMillis }
  const isEmpty = !(await hasMoney(current))
  const then = isEmpty ? ' and will then fund this wallet' : ''
  tell(`The faucet is available again in ${seconds} s${then}`)
  if (!isEmpty) return
  setTimeout(() => {
    if (session.value === current) void attempt(requestFunds)
  }, untilMillis - Date.now())
}

/** Ends the session. The page's own key stays for the next time. */
export function leave(): void {
  session.value?.stream.close()
  session.value = null
  walletChain.value = null
  keptForSite.remove(kindName)
}

const nextNonce = createNonceSource()
const tabsMax = 1000
const tab = crypto.getRandomValues(new Uint32Array(1))[0]! % tabsMax

/** Returns the next nonce. Nonces are microseconds in steps of a thousand, and each tab uses its own offset between them. */
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
      ...{ url: venueUrl, wallet: client.wallet, onError: showFailure },
      ...sessions,
    })
    session.value = { kind, client, stream }
    keptForSite.set(kindName, kind)
  } finally {
    isConnecting.value = false
  }
}

/** Returns true if private reads need a signature. Otherwise the wallet is not asked for one. */
async function readsAreSigned(): Promise<boolean> {
  type Answer = { readonly private_reads: 'open' | 'signed' }
  return (await rest.request<Answer>('GET', '/exchange-info')).private_reads === 'signed'
}
