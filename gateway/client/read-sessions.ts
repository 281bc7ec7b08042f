import { readSessionText } from '../../schemas/read-session.js'
import { structs } from './generated/interface.js'
import type { SigningContext } from './signed-actions.js'
import { signTyped } from './typed-request.js'

/** Read session as the exchange receives it, with its expiry. */
export interface HeldSession {
  readonly text: string
  readonly expiresMillis: number
  readonly signedMillis: number
}

// Shorter than the hour that the exchange grants, to tolerate a local clock that is ahead.
const lifeMillis = 3_300_000
/** Time before its expiry at which a session is replaced. */
const renewMillis = 600_000
/** Age below which a rejected session is not replaced by another. */
const freshMillis = 30_000

/**
 * Read sessions, for an exchange that requires signed private reads. One signature by the wallet or its agent covers an
 * hour. A session lets its holder read the wallet's private data until it expires, and nothing else.
 * @example
 * const { text } = await client.sessions.current()
 * const headers = { authorization: `Bearer ${text}` }
 */
export class ReadSessions {
  readonly #context: SigningContext
  readonly #nowMillis: () => number
  #held: HeldSession | null = null
  #signing: Promise<HeldSession> | null = null

  constructor(context: SigningContext, nowMillis: () => number = Date.now) {
    this.#context = context
    this.#nowMillis = nowMillis
  }

  /**
   * Returns a session that is not about to expire, and signs one if necessary. Rejects with the signer's error.
   * @example
   * const { text, expiresMillis } = await client.sessions.current()
   */
  current(): Promise<HeldSession> {
    const held = this.#held
    const isHolding = held !== null && this.#nowMillis() < held.expiresMillis - renewMillis
    return isHolding ? Promise.resolve(held) : this.#sign()
  }

  /**
   * Returns the session to send with reads; null until the exchange requires one.
   * @example
   * const isSigned = (await client.sessions.shown()) !== null
   */
  async shown(): Promise<string | null> {
    return this.#held === null ? null : (await this.current()).text
  }

  /**
   * Handles a read that failed as unauthorized, and signs a session if needed.
   * @param shown Session that the read was sent with.
   * @returns True if the read may be retried.
   * @example
   * const mayRepeat = await client.sessions.refused(await client.sessions.shown())
   */
  async refused(shown: string | null): Promise<boolean> {
    const held = this.#held
    if (held === null || held.text === shown) {
      const isFresh = held !== null && this.#nowMillis() < held.signedMillis + freshMillis
      if (isFresh) return false
      await this.#sign()
    }
    return true
  }

  /** Signs a session. Concurrent callers share one signature. */
  #sign(): Promise<HeldSession> {
    this.#signing ??= this.#signed().finally(() => {
      this.#signing = null
    })
    return this.#signing
  }

  async #signed(): Promise<HeldSession> {
    const { domain, signer } = this.#context
    const wallet = this.#context.wallet.toLowerCase()
    const signedMillis = this.#nowMillis()
    const expiresMillis = signedMillis + lifeMillis
    const message = { wallet, expiresAt: expiresMillis }
    const struct = structs.ReadSession
    const signature = await signTyped(signer, { domain, struct, message })
    this.#held = {
      text: readSessionText({ wallet, expiresMillis, signature }),
      ...{ expiresMillis, signedMillis },
    }
    return this.#held
  }
}
