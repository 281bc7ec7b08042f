import { readSessionText } from '../../schemas/read-session.js'
import { structs } from './generated/interface.js'
import type { SigningContext } from './signed-actions.js'
import { signTyped } from './typed-request.js'

/** A session as the exchange is shown it, and until when. */
export interface HeldSession {
  readonly text: string
  readonly expiresMillis: number
  readonly signedMillis: number
}

// Below the hour that the exchange grants, for clocks that are ahead of its.
const lifeMillis = 3_300_000
/** So long before its end a session gives way to the next one. */
const renewMillis = 600_000
/** Who refuses one that is so fresh does not want another of the kind. */
const freshMillis = 30_000

/**
 * Sessions of reads, where the exchange wants private reads signed: one signature an hour, by the wallet or its agent.
 * Whoever has a session can read what is the wallet's until it is over, and nothing else.
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
   * One that holds for a while yet; signed where there is none. Rejects as the signer does.
   * @example
   * const { text, expiresMillis } = await client.sessions.current()
   */
  current(): Promise<HeldSession> {
    const held = this.#held
    const isHolding = held !== null && this.#nowMillis() < held.expiresMillis - renewMillis
    return isHolding ? Promise.resolve(held) : this.#sign()
  }

  /**
   * What is shown with reads: nothing until the exchange has asked for it.
   * @example
   * const isSigned = (await client.sessions.shown()) !== null
   */
  async shown(): Promise<string | null> {
    return this.#held === null ? null : (await this.current()).text
  }

  /**
   * A read was refused.
   * @param shown what it was sent with.
   * @returns whether it may be sent once more.
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

  /** Those who ask meanwhile get the same. */
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
