import { referralCodeBytesMax, referralCodeBytesMin } from '../../schemas/bounds.js'
import type { ReferralCode } from '../../schemas/interface/referrals.js'

const codeText = /^[A-Za-z0-9_-]+$/

/**
 * A referral code as it is kept: without spaces around it, in capitals. Only ASCII is taken, before anything is made
 * capital: other letters have capitals that are ASCII, and would be a second spelling of somebody's code.
 * @returns null: it is none.
 */
export function referralCodeOf(text: string): string | null {
  const code = text.trim()
  const fits = code.length >= referralCodeBytesMin && code.length <= referralCodeBytesMax
  return fits && codeText.test(code) ? code.toUpperCase() : null
}

/** A referral code in an answer. */
export function referralCodeJson(code: string, owner: string, createdMillis: number): ReferralCode {
  return { code, owner_wallet: owner, created_at: new Date(createdMillis).toISOString() }
}
