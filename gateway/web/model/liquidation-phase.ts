import { secondsLeftText } from './numbers.js'

/** Liquidation state of a wallet, from the operator interface. */
export interface ListedPhase {
  readonly state: string
  readonly liquidation_mode: string | null
  readonly waits_for_mark: boolean
  readonly timers_stand: boolean
  readonly deadline_ts_ms: number | null
}

/** Texts of the phases, by the names in the counts. */
export const phaseWords: Readonly<Record<string, string>> = {
  pre_liquidation: 'Grace period',
  partial: 'Partial liquidation',
  full: 'Auction',
  waiting: 'Waiting for a mark',
  liquidated: 'Liquidated',
}

/** Returns the text of a wallet's phase. */
export function phaseText(listed: ListedPhase): string {
  const { state, liquidation_mode: mode, waits_for_mark: waits } = listed
  if (state === 'healthy') return waits ? phaseWords['waiting']! : 'Healthy'
  const phase = mode ?? state
  return `${phaseWords[phase] ?? phase}${waits ? ', waiting for a mark' : ''}`
}

/** Returns the remaining time of the phase as text. */
export function phaseLeftText(listed: ListedPhase, nowMillis: number): string {
  if (listed.timers_stand) return 'paused'
  const { deadline_ts_ms: deadline } = listed
  if (deadline === null) return 'no deadline'
  return deadline <= nowMillis ? 'expired' : secondsLeftText(deadline, nowMillis)
}
