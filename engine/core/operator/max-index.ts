import { assert } from '../../../schemas/assert.js'
import { exactBound, maxIndexFactor, priceMicrosMax } from '../../../schemas/bounds.js'
import { type AnyCommand, SetMaxIndexCommand } from '../../../schemas/generated/commands.js'
import { Result } from '../../../schemas/results.js'
import { publishMaxIndex } from '../../publish/publish-market.js'
import { type AnnouncedState, underlyingFor } from '../steps/announced.js'
import type { MarketOutcome } from '../steps/market-outcome.js'

export interface MaxIndexState extends AnnouncedState {
  setMaxIndex(underlying: number, micros: number): void
}

// Sums over wallets are exact because the value of a contract has a maximum, which follows from the index. Each
// underlying therefore has a maximum index. Before its first instrument nothing has a value. From then on, neither an
// observation nor a settlement price may be above the maximum.

const setMaxIndexCommand = new SetMaxIndexCommand()

/** Sets the maximum index of an underlying that has an index and an instrument, unless it is set. */
export function fixMaxIndex(state: MaxIndexState, underlying: number): void {
  const { instruments, marks, config } = state
  if (instruments.maxIndexMicros[underlying] !== 0) return
  const { indexMicros } = marks.inputsOf(underlying)
  if (Number.isNaN(indexMicros) || instruments.ofUnderlying[underlying].length === 0) return
  const configured = config.maxIndexMicros[instruments.underlyingNames[underlying]] ?? 0
  const micros = configured === 0 ? maxIndexFactor * indexMicros : Math.max(configured, indexMicros)
  state.setMaxIndex(underlying, Math.min(micros, priceMicrosMax))
  publishMaxIndex(state, underlying)
}

/**
 * Returns true if a price may be an index or a settlement price. Otherwise writes the details of the error to `out`.
 * @param entry position of the price in its command.
 */
export function isWithinMaxIndex(
  { instruments }: MaxIndexState,
  underlying: number,
  priceMicros: number,
  entry: number,
  out: MarketOutcome,
): boolean {
  const maxMicros = instruments.maxIndexMicros[underlying]
  if (maxMicros === 0 || priceMicros <= maxMicros) return true
  out.details[0] = entry
  out.details[1] = maxMicros
  return false
}

/** SetMaxIndex: the maximum never decreases, and never exceeds the range in which sums over a wallet are exact. */
export function raiseMaxIndex(
  state: MaxIndexState,
  command: AnyCommand,
  out: MarketOutcome,
): Result {
  const { instruments } = state
  const { maxIndexMicros: micros, underlyingText } = setMaxIndexCommand.of(command)
  const underlying = underlyingFor(state, underlyingText)
  if (underlying < 0) return Result.LimitExceeded
  const before = instruments.maxIndexMicros[underlying]
  out.repeat = micros === before
  if (out.repeat) return Result.Accepted
  // The current index must remain valid, too.
  const minMicros = Math.max(before, state.marks.inputsOf(underlying).indexMicros || 0)
  if (micros < minMicros) {
    out.details[0] = minMicros
    return Result.MaxIndexLowered
  }
  return tryMaxIndex(state, underlying, micros) ? Result.Accepted : Result.MaxIndexLimit
}

/** Applies configured maxima that are higher than the current ones, if the sums of all wallets stay exact. */
export function applyMaxIndexes(state: MaxIndexState): void {
  const { instruments, config } = state
  for (const [underlying, name] of instruments.underlyingNames.entries()) {
    const configured = config.maxIndexMicros[name] ?? 0
    const before = instruments.maxIndexMicros[underlying]
    if (before !== 0 && configured > before) tryMaxIndex(state, underlying, configured)
  }
}

/** Sets a higher maximum unless a wallet, with the value of its positions, would leave the exact range. */
function tryMaxIndex(state: MaxIndexState, underlying: number, micros: number): boolean {
  const { instruments, risk } = state
  const before = instruments.maxIndexMicros[underlying]
  assert(micros > before, 'max index: it never decreases')
  state.setMaxIndex(underlying, micros)
  let fits = true
  risk.holdersOf(underlying).forEach((account) => {
    const cash = Math.abs(risk.cashMicros[account])
    fits &&= cash + risk.limits.exposedMicros(account) < exactBound
  })
  if (fits) publishMaxIndex(state, underlying)
  else state.setMaxIndex(underlying, before)
  return fits
}
