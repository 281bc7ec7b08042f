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
 * Who may read what of a wallet. The statement that was signed is shown with each read: whichever thread gets it can
 * check it, before a restart and after one, and there is no secret of the venue's that it hangs on. It is of one wallet,
 * and by its domain of one venue and chain. Its signer is looked up anew each time it is used, so that it ends with the
 * agent that has signed it.
 */
export interface ReadSession {
  readonly wallet: string
  readonly signer: string
  readonly expiresMillis: number
}

/** Says why an answer is not told to who has asked, or null. */
type Reveals = (body: string | Uint8Array) => Fault | null

/** Most that the clock of the signer may be ahead. */
export const skewMillisMax = 300_000
const knownMax = 10_000
const struct = typedStructs.ReadSession
const needed = 'A signed session of the wallet is needed (ReadSession, as Authorization: Bearer)'
/** Sessions whose signatures were checked on this thread, by their texts; the oldest gives way. */
const knownBy = new WeakMap<SigningDomain, Map<string, ReadSession>>()

/** Whether private reads are signed. */
export function areReadsSigned({ config }: GatewayContext): boolean {
  return config.reads.private === 'signed'
}

/**
 * The session that a text states.
 * @param address bytes of the client, which a signature that comes to nothing costs.
 * @returns `Unauthorized`, or `RateLimitExceeded`.
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
      return unauthorized('The session is signed by nobody who acts for the wallet')
    }
  }
  if (!known.has(text) && known.size >= knownMax) known.delete(known.keys().next().value!)
  known.set(text, session)
  return session
}

/** Whether a session still holds. */
export function isSessionLive(context: GatewayContext, session: ReadSession): boolean {
  return session.expiresMillis > context.nowMillis() && mayRead(context, session)
}

/** Why a read is not answered, or what looks at its answer. @param wallet that it names, if it is one. */
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
  // A read may have waited for a sequence, behind which the session's agent has gone.
  return () => (isSessionLive(context, session) ? null : sessionOver())
}

/** Of another wallet than the session's. */
export function otherWallet(): Fault {
  return unauthorized('What is asked for has to name the wallet of the session')
}

export function sessionOver(): Fault {
  return unauthorized('The session of reads is over')
}

export function sessionNeeded(): Fault {
  return unauthorized(needed)
}

const revealAll: Reveals = () => null

/** Whose positions are for sale, everybody may know: they could not bid else. */
function revealAuction(body: string | Uint8Array): Fault | null {
  const { data } = JSON.parse(Buffer.from(body).toString('utf8'))
  return (data?.full_liquidation ?? null) === null ? sessionNeeded() : null
}

/** Looks at the signature, at the cost of a read, and of a failure where the wallet has no account: such are made freely. */
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
  if (unsound !== null) return unauthorized('The signature of the session is none')
  if (!limits.directory.hasAccount(wallet)) limits.countFailure(addressKeyOf(address), nowMillis())
  return { wallet, signer: signing.signerText(), expiresMillis }
}

function mayRead({ limits }: GatewayContext, { wallet, signer }: ReadSession): boolean {
  return signer === wallet || limits.directory.agentsOf(wallet).has(signer)
}

function unauthorized(message: string): Fault {
  return new Fault(Result.Unauthorized, {}, message)
}
