/** Prefix of the ids of grants. Ids from the operator cannot contain this character. */
const mark = '\u0002'
const minuteMillis = 60_000

/**
 * Returns the deposit id of the faucet's grant to a wallet for one minute. A wallet that is granted twice in that
 * minute, by two gateways or across a restart, is credited once.
 * @param wallet lower-case text.
 */
export function grantIdOf(wallet: string, nowMillis: number): string {
  return `${mark}${minuteOf(nowMillis)} ${wallet}`
}

/** Returns the minute of a grant's id; -1 for any other deposit. */
export function grantMinuteOf(depositId: string): number {
  return depositId.startsWith(mark) ? Number.parseInt(depositId.slice(mark.length), 10) : -1
}

/** Returns the minutes since the epoch. */
export function minuteOf(millis: number): number {
  return Math.floor(millis / minuteMillis)
}
