/** In front of the names of grants: no name that the operator gives can hold this character. */
const mark = '\u0002'
const minuteMillis = 60_000

/**
 * Name of the deposit by which the faucet gives a wallet its money of one minute: whoever is given it twice in that
 * minute, by two gateways or over a restart, is credited once.
 * @param wallet lower-case text.
 */
export function grantIdOf(wallet: string, nowMillis: number): string {
  return `${mark}${minuteOf(nowMillis)} ${wallet}`
}

/** The minute of a grant's name; -1 of any other deposit's. */
export function grantMinuteOf(depositId: string): number {
  return depositId.startsWith(mark) ? Number.parseInt(depositId.slice(mark.length), 10) : -1
}

/** Minutes since the epoch. */
export function minuteOf(millis: number): number {
  return Math.floor(millis / minuteMillis)
}
