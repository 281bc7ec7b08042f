import { assert } from '../../../schemas/assert.js'
import { mmpIntervalMillisMax, mmpLimitMicrosMax } from '../../../schemas/bounds.js'
import { OrderFlag } from '../../../schemas/domain.js'
import {
  type AnyCommand,
  CommandType,
  EndMmpCommand,
  SetMmpCommand,
} from '../../../schemas/generated/commands.js'
import type { OrderFacts } from '../../../schemas/generated/events.js'
import type * as results from '../../../schemas/generated/results.js'
import { MmpAction, MmpChange } from '../../../schemas/record-values.js'
import { Result } from '../../../schemas/results.js'
import { CountedFill, measureCount, signedSumMicros } from '../../matching/mmp-window.js'
import type { InstrumentTable } from '../../pricing/instruments.js'
import { type PublishMmpState, publishMmp, publishMmpFill } from '../../publish/publish-mmp.js'
import type { MmpTable } from '../../state/accounts/mmp-table.js'
import type { Batch } from '../../state/batch.js'
import type { MatcherLinks } from '../../state/matcher-links.js'
import type { AuctionTable } from '../../state/rfq/auction-table.js'
import type { RfqTable } from '../../state/rfq/rfq-table.js'

export interface DecideMmpState extends PublishMmpState {
  readonly mmp: MmpTable
  readonly instruments: InstrumentTable
  readonly matchers: MatcherLinks
  readonly nowMillis: number
  readonly auctions: AuctionTable
  readonly rfqs: RfqTable
}

const setMmp = new SetMmpCommand()
const endMmp = new EndMmpCommand()
const fill = new CountedFill()
const limits = new Float64Array(measureCount)

/** Guards of a SetMmp, DeleteMmp or ResetMmp whose nonce and signer are valid. */
export function checkMmp(state: DecideMmpState, account: number, command: AnyCommand): Result {
  const underlying = underlyingOf(state, command)
  if (command.recordType !== CommandType.SetMmp) {
    const isKnown = underlying >= 0 && state.mmp.find(account, underlying)
    return isKnown ? Result.Accepted : Result.NotFound
  }
  const isListed = underlying >= 0 && state.instruments.ofUnderlying[underlying].length > 0
  return isListed && areTermsSound(setMmp.of(command)) ? Result.Accepted : Result.ValueRefused
}

/**
 * Executes an accepted command, also in the matcher of the underlying, and publishes it. SetMmp also fills the facts.
 */
export function applyMmp(
  state: DecideMmpState,
  account: number,
  command: AnyCommand,
  out: OrderFacts,
): void {
  const { matchers, mmp } = state
  const underlying = underlyingOf(state, command)
  const matcher = matchers.of(underlying)
  const known = mmp.find(account, underlying)
  assert(underlying >= 0, 'mmp: the underlying exists')
  if (command.recordType === CommandType.DeleteMmp) {
    assert(known !== undefined, 'mmp: the protection to delete exists')
    mmp.delete(known)
    matchers.protect(matcher, MmpAction.Delete, known, state.nowMillis)
    publishMmp(state, known, MmpChange.Deleted)
  } else if (command.recordType === CommandType.ResetMmp) {
    assert(known !== undefined, 'mmp: the protection to reset exists')
    mmp.reset(known)
    matchers.protect(matcher, MmpAction.Reset, known, state.nowMillis)
    publishMmp(state, known, MmpChange.Reset)
  } else {
    const terms = setMmp.of(command)
    const { intervalMillis, frozenMillis } = terms
    for (let measure = 0; measure < measureCount; measure++) {
      limits[measure] = terms.limits(measure)
    }
    const row = mmp.set(account, underlying, state.nowMillis, intervalMillis, frozenMillis, limits)
    mmp.setNonce(row, terms.nonceHigh, terms.nonceLow)
    matchers.protect(matcher, MmpAction.Set, row, state.nowMillis)
    publishMmp(state, row, MmpChange.Set)
    out.mmpQtyMicros = signedSumMicros(row.sums, 0)
    out.mmpDeltaMicros = signedSumMicros(row.sums, 1)
    out.mmpVegaMicros = signedSumMicros(row.sums, 2)
    out.mmpFrozenUntilMillis = mmp.frozenUntil(account, underlying, state.nowMillis)
  }
}

/**
 * Returns the freeze of the wallet that rejects a new protected order, or `Accepted`. The details name the end of the
 * freeze.
 */
export function checkFreeze(
  state: DecideMmpState,
  batch: Batch,
  ticket: number,
  flags: number,
): Result {
  if ((flags & OrderFlag.MmpEnabled) === 0) return Result.Accepted
  const underlying = state.instruments.underlying[batch.instrument[ticket]]
  const untilMillis = state.mmp.frozenUntil(batch.account[ticket], underlying, state.nowMillis)
  if (untilMillis === 0) return Result.Accepted
  const at = batch.beginDetails(ticket)
  batch.details[at] = underlying
  batch.details[at + 1] = untilMillis
  return Result.MmpFrozen
}

/** Applies a fill that a matcher has counted; the fill itself is its next result. */
export function applyCounted(state: DecideMmpState, counted: results.CountedFill): void {
  fill.account = counted.account
  fill.underlying = counted.underlying
  fill.nowMillis = state.nowMillis
  fill.sizeLots = counted.sizeLots
  fill.deltaMicros = counted.deltaMicros
  fill.vegaMicros = counted.vegaMicros
  publishMmpFill(state, state.mmp.count(fill, counted.triggers), fill)
  const { account, triggers, underlying } = counted
  // The matcher cancels protected orders in its books, but does not know those in auctions.
  if (triggers !== 0 && state.auctions.count > 0) state.rfqs.frozen.push({ account, underlying })
}

/** Returns the underlying that a command names, or -1. */
function underlyingOf({ instruments }: DecideMmpState, command: AnyCommand): number {
  const isSet = command.recordType === CommandType.SetMmp
  return instruments.findNamed(isSet ? setMmp.of(command) : endMmp.of(command))
}

function areTermsSound(terms: SetMmpCommand): boolean {
  const { intervalMillis, frozenMillis } = terms
  let isLimited = false
  for (let measure = 0; measure < measureCount; measure++) {
    const limit = terms.limits(measure)
    if (!(limit >= 0 && limit <= mmpLimitMicrosMax)) return false
    if (limit > 0) isLimited = true
  }
  return (
    isLimited &&
    intervalMillis >= 1 &&
    intervalMillis <= mmpIntervalMillisMax &&
    frozenMillis >= 0 &&
    frozenMillis <= mmpIntervalMillisMax
  )
}
