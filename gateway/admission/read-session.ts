import { RateCategory } from '../../schemas/domain.js'
import type { ReadRow } from '../../schemas/interface/read.js'
import { parseReadSession, readSessionText, sessionMillisMax } from '../../schemas/read-session.js'
import { Result } from '../../schemas/results.js'
import { typedDataDigest } from '../../schemas/signing/typed-data-digest.js'
import type { SigningDomain } from '../../schemas/typed-data.js'
import { typedStructs } from '../actions/typed-structs.js'
import { addressKeyOf } from '../limits/address-limits.js'
import { RateLimitFault } from '../limits/rate-limit-fault.js'
import type { GatewayContext } from '../link/gateway-context.js'
import type { HttpCall } from '../transport/transport.js'
import { bearerToken } from '../wire/bearer-token.js'
import { Fault } from '../wire/fault.js'
import { checkSignature } from './admission.js'
import { countRead } from './read-admission.js'

/**
 * Right to read the private data of a wallet. Each read carries the signed statement, so any thread can check it, also
 * after a restart, and it depends on no secret of the venue. It is valid for one wallet, and by its domain for one venue
 * and chain. Every use looks up the signer again, so that the session ends when its agent is revoked.
 */
export interface ReadSession {
  readonly wallet: string
  readonly signer: string
  readonly expiresMillis: number
}

/** Returns the error if the client may not see an answer, or null. */
type Reveals = (body: string | Uint8Array) => Fault | null

/** Allowance for a signer's clock that is ahead. */
export const skewMillisMax = 300_000
const knownMax = 10_000
const struct = typedStructs.ReadSession
const needed = 'A signed session of the wallet is needed (ReadSession, as Authorization: Bearer)'
/** Sessions whose signatures were checked on this thread, by their texts; the oldest is evicted. */
const knownBy = new WeakMap<SigningDomain, Map<string, ReadSession>>()

/** Returns true if private reads need a signed session. */
export function areReadsSigned({ config }: GatewayContext): boolean {
  return config.reads.private === 'signed'
}

/**
 * Parses and checks the text of a session.
 * @param address bytes of the client; a failed signature counts against it.
 * @returns the session, `Unauthorized`, or `RateLimitExceeded`.
 */
export function readSessionOf(
  context: GatewayContext,
  shown: string,
  address: Uint8Array,
): ReadSession | Fault {
  const stated = parseReadSession(shown)
  if (stated === null) return unauthorized(needed)
  const text = readSessionText(stated)
  const { wallet, expiresMillis, signature } = stated
  const now = context.nowMillis()
  if (expiresMillis <= now) return sessionOver()
  if (expiresMillis > now + sessionMillisMax + skewMillisMax) {
    return unauthorized('The session lasts longer than an hour')
  }
  const { domain } = context.signing
  const known = knownBy.get(domain) ?? new Map<string, ReadSession>()
  knownBy.set(domain, known)
  const session =
    known.get(text) ?? recovered(context, { wallet, expiresMillis }, signature, address)
  if (session instanceof Fault) return session
  if (!mayRead(context, session)) {
    context.catchUp()
    if (!mayRead(context, session)) {
      known.delete(text)
      context.limits.countFailure(addressKeyOf(address), now)
      return unauthorized('The signer of the session may not act for the wallet')
    }
  }
  if (!known.has(text) && known.size >= knownMax) known.delete(known.keys().next().value!)
  known.set(text, session)
  return session
}

/** Returns true if a session is still valid. */
export function isSessionLive(context: GatewayContext, session: ReadSession): boolean {
  return session.expiresMillis > context.nowMillis() && mayRead(context, session)
}

/** Returns the error of a read, or the check of its answer. @param wallet that the read names; null if malformed or none. */
export function admitReader(
  context: GatewayContext,
  call: HttpCall,
  { reader, walletParameter }: Pick<ReadRow, 'reader' | 'walletParameter'>,
  wallet: string | null,
): Reveals | Fault {
  if (!areReadsSigned(context) || reader === 'anybody') return revealAll
  const isNamed = reader === 'named'
  if (isNamed && !new URLSearchParams(call.query).has(walletParameter)) return revealAll
  const { authorization, address } = call
  const session = readSessionOf(context, bearerToken(authorization) ?? '', address)
  const isOwn = !(session instanceof Fault) && session.wallet === wallet
  if (reader === 'auctioned') return isOwn ? revealAll : revealAuction
  if (session instanceof Fault) return session
  if (!isOwn) return otherWallet()
  // The session's agent may have been revoked while the read waited for a sequence.
  return () => (isSessionLive(context, session) ? null : sessionOver())
}

/** Returns the error of a read for another wallet than the session's. */
export function otherWallet(): Fault {
  return unauthorized('The request must name the wallet of the session')
}

export function sessionOver(): Fault {
  return unauthorized('The read session has expired or was revoked')
}

export function sessionNeeded(): Fault {
  return unauthorized(needed)
}

const revealAll: Reveals = () => null

/** Reveals the positions of a wallet in a full liquidation to everybody, because bidders need them. */
function revealAuction(body: string | Uint8Array): Fault | null {
  const { data } = JSON.parse(Buffer.from(body).toString('utf8'))
  return (data?.full_liquidation ?? null) === null ? sessionNeeded() : null
}

/** Checks the signature. Counts a read, and also a failure if the wallet has no account, because anybody can make one. */
function recovered(
  context: GatewayContext,
  { wallet, expiresMillis }: Pick<ReadSession, 'wallet' | 'expiresMillis'>,
  signature: string,
  address: Uint8Array,
): ReadSession | Fault {
  const { signing, limits, nowMillis } = context
  const refused = countRead(context, address, wallet)
  if (refused !== null) return refused
  const message = { wallet, expiresAt: expiresMillis }
  signing.digest.set(typedDataDigest(signing.domain, struct, message))
  const subject = { struct, message }
  const category = RateCategory.ApiRequest
  const unsound = checkSignature(context, { address, wallet, signature, subject, category })
  if (unsound instanceof RateLimitFault) return unsound
  if (unsound !== null) return unauthorized('The signature of the session is invalid')
  if (!limits.directory.hasAccount(wallet)) limits.countFailure(addressKeyOf(address), nowMillis())
  return { wallet, signer: signing.signerText(), expiresMillis }
}

function mayRead({ limits }: GatewayContext, { wallet, signer }: ReadSession): boolean {
  return signer === wallet || limits.directory.agentsOf(wallet).has(signer)
}

function unauthorized(message: string): Fault {
  return new Fault(Result.Unauthorized, {}, message)
}
