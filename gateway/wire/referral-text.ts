import { referralCodeBytesMax, referralCodeBytesMin } from '../../schemas/bounds.js'
import type { ReferralCode } from '../../schemas/interface/referrals.js'

const codeText = /^[A-Za-z0-9_-]+$/

/**
 * Normalizes a referral code: trimmed and in upper case. Accepts only ASCII before the conversion, because other
 * letters have ASCII upper-case forms, and would give a second spelling of a code.
 * @returns Null if the text is not a code.
 */
export function referralCodeOf(text: string): string | null {
  const code = text.trim()
  const fits = code.length >= referralCodeBytesMin && code.length <= referralCodeBytesMax
  return fits && codeText.test(code) ? code.toUpperCase() : null
}

/** Formats a referral code for an answer. */
export function referralCodeJson(code: string, owner: string, createdMillis: number): ReferralCode {
  return { code, owner_wallet: owner, created_at: new Date(createdMillis).toISOString() }
}
