/** What a session of reads states, and its signature. */
export interface StatedSession {
  /** Lower-case address. */
  readonly wallet: string
  /** Unix milliseconds. */
  readonly expiresMillis: number
  readonly signature: string
}

/** How long a session lasts at most. */
export const sessionMillisMax = 3_600_000
const pattern = /^(0x[0-9a-f]{40})\.(\d{1,16})\.(0x[0-9a-f]{130})$/
/** The same, for documents. */
export const readSessionPattern = pattern.source

/** A session as it is shown: `wallet.expiresAt.signature`. */
export function readSessionText({ wallet, expiresMillis, signature }: StatedSession): string {
  return `${wallet}.${expiresMillis}.${signature.toLowerCase()}`
}

/** The parts of such a text, in lower case; null: it is none. One session has one text, up to its signature. */
export function parseReadSession(text: string): StatedSession | null {
  const match = pattern.exec(text)
  if (match === null) return null
  const expiresMillis = Number(match[2])
  if (!Number.isSafeInteger(expiresMillis)) return null
  return { wallet: match[1]!, expiresMillis, signature: match[3]! }
}
