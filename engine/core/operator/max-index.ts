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

// What a contract can be worth at most is what makes sums over wallets exact, and that follows from the index: so each
// underlying has a highest one. Until there is an instrument nothing is worth anything; from then on neither an
// observation nor a settlement price may be above it.

const wanted = new SetMaxIndexCommand()

/** Fixes the highest index of an underlying that has an index and an instrument, unless it has one. */
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
 * Whether a price may be an index or a settlement price; where not, `out` takes what the refusal names.
 * @param entry place of the price in its command.
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

/** SetMaxIndex: never lowered, and never so high that sums over a wallet would not be exact any more. */
export function raiseMaxIndex(
  state: MaxIndexState,
  command: AnyCommand,
  out: MarketOutcome,
): Result {
  const { instruments } = state
  const { maxIndexMicros: micros, underlyingText } = wanted.of(command)
  const underlying = underlyingFor(state, underlyingText)
  if (underlying < 0) return Result.LimitExceeded
  const before = instruments.maxIndexMicros[underlying]
  out.repeat = micros === before
  if (out.repeat) return Result.Accepted
  // The index of now stays possible, too.
  const leastMicros = Math.max(before, state.marks.inputsOf(underlying).indexMicros || 0)
  if (micros < leastMicros) {
    out.details[0] = leastMicros
    return Result.MaxIndexLowered
  }
  return tryMaxIndex(state, underlying, micros) ? Result.Accepted : Result.MaxIndexLimit
}

/** What the configuration allows, where it is more than what holds and every wallet's sums stay exact with it. */
export function applyMaxIndexes(state: MaxIndexState): void {
  const { instruments, config } = state
  for (const [underlying, name] of instruments.underlyingNames.entries()) {
    const configured = config.maxIndexMicros[name] ?? 0
    const before = instruments.maxIndexMicros[underlying]
    if (before !== 0 && configured > before) tryMaxIndex(state, underlying, configured)
  }
}

/** Sets a higher maximum unless some wallet, or what its positions come to, would leave the exact range. */
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
