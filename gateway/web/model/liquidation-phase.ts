import { secondsLeftText } from './numbers.js'

/** Where a wallet stands in liquidation, as the operator is told it. */
export interface PhaseTold {
  readonly state: string
  readonly liquidation_mode: string | null
  readonly waits_for_mark: boolean
  readonly timers_stand: boolean
  readonly deadline_ts_ms: number | null
}

/** Phases by the names that counts of them have. */
export const phaseWords: Readonly<Record<string, string>> = {
  pre_liquidation: 'Grace period',
  partial: 'Reducing orders',
  full: 'Auction',
  waiting: 'Wait for a mark',
  liquidated: 'Liquidated',
}

/** The phase of a wallet, as people call it. */
export function phaseText(told: PhaseTold): string {
  const { state, liquidation_mode: mode, waits_for_mark: waits } = told
  if (state === 'healthy') return waits ? phaseWords['waiting']! : 'Healthy'
  const phase = mode ?? state
  return `${phaseWords[phase] ?? phase}${waits ? ', waits for a mark' : ''}`
}

/** How long the phase may last yet. */
export function phaseLeftText(told: PhaseTold, nowMillis: number): string {
  if (told.timers_stand) return 'stands still'
  const { deadline_ts_ms: deadline } = told
  if (deadline === null) return 'no end by time'
  return deadline <= nowMillis ? 'over' : secondsLeftText(deadline, nowMillis)
}
