/** Contents of a read session, and its signature. */
export interface StatedSession {
  /** Lower-case address. */
  readonly wallet: string
  /** Unix milliseconds. */
  readonly expiresMillis: number
  readonly signature: string
}

/** Maximum duration of a session. */
export const sessionMillisMax = 3_600_000
const pattern = /^(0x[0-9a-fA-F]{40})\.(\d{1,16})\.(0x[0-9a-fA-F]{130})$/
/** The pattern for documents. */
export const readSessionPattern = pattern.source

/** Returns the text of a session: `wallet.expiresAt.signature`. A session has exactly one text. */
export function readSessionText({ wallet, expiresMillis, signature }: StatedSession): string {
  return `${wallet.toLowerCase()}.${expiresMillis}.${signature.toLowerCase()}`
}

/** Parses such a text; its digits may be in any case. @returns its parts in lower case; null for any other text. */
export function parseReadSession(text: string): StatedSession | null {
  const match = pattern.exec(text)
  if (match === null) return null
  const expiresMillis = Number(match[2])
  if (!Number.isSafeInteger(expiresMillis)) return null
  return { wallet: match[1]!.toLowerCase(), expiresMillis, signature: match[3]!.toLowerCase() }
}
