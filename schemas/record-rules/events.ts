import { assert } from '../assert.js'
import {
  competitionDescriptionBytesMax,
  competitionNameBytesMax,
  competitionRulesBytesMax,
  competitionUrlBytesMax,
  eventBytesMax,
  liquidationPositionsMax,
  payoutIdsMax,
  surfacePointsMax,
} from '../bounds.js'
import {
  CompetitionEvent,
  LiquidationEvent,
  PayoutsSeenEvent,
  SurfaceEvent,
} from '../generated/events.js'
import { OutcomeFlag } from '../record-values.js'
import { Result } from '../results.js'
import { isSigned } from './commands.js'

/** Returns true if an acknowledgement reports an accepted signed action, and not a duplicate of one. */
export function burnsNonce(command: number, result: number, flags: number): boolean {
  if ((flags & OutcomeFlag.IsResultPublished) !== 0) return true
  return result === Result.Accepted && isSigned(command) && (flags & OutcomeFlag.Repeat) === 0
}

/** Maximum bytes of all texts of a competition together. */
export const competitionTextBytesMax =
  competitionNameBytesMax +
  competitionDescriptionBytesMax +
  competitionUrlBytesMax +
  competitionRulesBytesMax

for (const bytes of [
  CompetitionEvent.bytesWith(competitionTextBytesMax),
  SurfaceEvent.bytesWith(2 * surfacePointsMax),
  PayoutsSeenEvent.bytesWith(payoutIdsMax),
  LiquidationEvent.bytesWith(liquidationPositionsMax),
]) {
  assert(bytes <= eventBytesMax, 'events: the longest of each type fits')
}
