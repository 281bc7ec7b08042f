import { assert } from '../../../schemas/assert.js'
import {
  competitionDescriptionBytesMax,
  competitionNameBytesMax,
  competitionRulesBytesMax,
  competitionsMax,
  competitionUrlBytesMax,
} from '../../../schemas/bounds.js'
import { CompetitionMetric, CompetitionState, neverMillis } from '../../../schemas/domain.js'
import { type AnyCommand, SetCompetitionCommand } from '../../../schemas/generated/commands.js'
import { CompetitionChange } from '../../../schemas/record-values.js'
import { Result } from '../../../schemas/results.js'
import {
  type PublishCompetitionsState,
  publishCompetition,
  publishMarks,
} from '../../publish/publish-competitions.js'
import type { Competition, CompetitionTerms } from '../../state/market/competition-table.js'
import type { MarketOutcome } from '../steps/market-outcome.js'

export interface DecideCompetitionState extends PublishCompetitionsState {
  readonly nowMillis: number
  readonly clockAlarm: boolean
}

const named = new SetCompetitionCommand()

/**
 * SetCompetition. A running competition keeps its start; an ended one cannot be changed.
 * @returns `ValueRefused` for invalid terms, `NotFound`, `Conflict` or `LimitExceeded`.
 */
export function setCompetition(
  state: DecideCompetitionState,
  command: AnyCommand,
  out: MarketOutcome,
): Result {
  const { competitions, nowMillis } = state
  const { competitionId } = named.of(command)
  const terms = readTerms()
  if (terms === null) return Result.ValueRefused
  const name = terms.texts.subarray(0, terms.nameBytes)
  const row = competitionId === 0 ? competitions.findOpen(name) : competitions.find(competitionId)
  if (row === null && competitionId !== 0) return Result.NotFound
  if (row !== null && isSame(row.terms, terms)) {
    out.competitionId = row.id
    out.repeat = true
    return Result.Accepted
  }
  if (row !== null && !mayChange(row, terms)) return Result.Conflict
  if (terms.endMillis <= nowMillis) return Result.ValueRefused
  if (row === null && competitions.rows.length === competitionsMax) return Result.LimitExceeded
  const changed = row ?? competitions.add(terms, nowMillis)
  if (row !== null) competitions.change(row, terms, nowMillis)
  publishCompetition(state, changed, CompetitionChange.Terms)
  turnCompetitions(state)
  out.competitionId = changed.id
  return Result.Accepted
}

/**
 * Begins and ends competitions that are due by engine time. Does nothing during a clock alarm, when nobody trades
 * either.
 */
export function turnCompetitions(state: DecideCompetitionState): void {
  const { competitions, nowMillis } = state
  if (state.clockAlarm) return
  while (competitions.nextMillis <= nowMillis) {
    const row = competitions.nextDue
    assert(row.state !== CompetitionState.Post, 'competition: it ends once')
    const begins = row.state === CompetitionState.Pre
    publishMarks(state, row)
    competitions.turn(row, begins ? CompetitionState.Active : CompetitionState.Post, nowMillis)
    publishCompetition(state, row, CompetitionChange.State)
  }
}

function mayChange({ state, terms }: Competition, wanted: CompetitionTerms): boolean {
  if (state === CompetitionState.Post) return false
  return state === CompetitionState.Pre || terms.startMillis === wanted.startMillis
}

/** Reads the terms in the command; null if they are invalid. */
function readTerms(): CompetitionTerms | null {
  const { startMillis, endMillis, conditions, count, textsAt, u8 } = named
  const { nameBytes, descriptionBytes, urlBytes, rulesBytes } = named
  const isPeriod =
    Number.isSafeInteger(startMillis) &&
    Number.isSafeInteger(endMillis) &&
    startMillis > 0 &&
    startMillis < endMillis &&
    endMillis < neverMillis
  const areTexts =
    isLength(nameBytes, 1, competitionNameBytesMax) &&
    isLength(descriptionBytes, 0, competitionDescriptionBytesMax) &&
    isLength(urlBytes, 0, competitionUrlBytesMax) &&
    isLength(rulesBytes, 0, competitionRulesBytesMax) &&
    nameBytes + descriptionBytes + urlBytes + rulesBytes === count
  if (!isPeriod || !areTexts || !areConditions(conditions)) return null
  const lengths = { nameBytes, descriptionBytes, urlBytes, rulesBytes }
  const texts = u8.slice(textsAt, textsAt + count)
  return { startMillis, endMillis, conditions, ...lengths, texts }
}

function isLength(bytes: number, least: number, most: number): boolean {
  return bytes >= least && bytes <= most
}

/** Returns true for one to three metrics without repetition. */
function areConditions(conditions: number): boolean {
  let seen = 0
  let rest = conditions
  for (; rest > 0; rest >>>= 2) {
    const metric = rest & 3
    if (metric < CompetitionMetric.Pnl || (seen & (1 << metric)) !== 0) return false
    seen |= 1 << metric
  }
  return seen !== 0
}

function isSame(terms: CompetitionTerms, other: CompetitionTerms): boolean {
  const { texts } = terms
  return (
    terms.startMillis === other.startMillis &&
    terms.endMillis === other.endMillis &&
    terms.conditions === other.conditions &&
    terms.nameBytes === other.nameBytes &&
    terms.descriptionBytes === other.descriptionBytes &&
    terms.urlBytes === other.urlBytes &&
    texts.length === other.texts.length &&
    texts.every((byte, index) => byte === other.texts[index])
  )
}
