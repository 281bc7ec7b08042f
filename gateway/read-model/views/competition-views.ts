import {
  type CompetitionMetric,
  CompetitionState,
  competitionMetricNames,
  competitionStateNames,
} from '../../../schemas/domain.js'
import type { CompetitionEvent } from '../../../schemas/generated/events.js'
import type { Competition } from '../../../schemas/interface/competitions.js'

/** Competition as the operator defined it, with its state. */
export interface CompetitionFacts {
  readonly id: number
  readonly state: CompetitionState
  readonly startMillis: number
  /** First millisecond after its end. */
  readonly endMillis: number
  /** Primary one first. */
  readonly winConditions: readonly CompetitionMetric[]
  readonly name: string
  readonly description: string | null
  readonly rulesUrl: string | null
  readonly rulesContent: string | null
  readonly createdMillis: number
  readonly updatedMillis: number
}

/** All competitions. */
export class CompetitionViews {
  readonly #byId = new Map<number, CompetitionFacts>()

  apply(event: CompetitionEvent): void {
    this.#byId.set(event.competitionId, competitionFacts(event))
  }

  find(id: number): CompetitionFacts | null {
    return this.#byId.get(id) ?? null
  }

  /** True if a competition is active. */
  get hasActive(): boolean {
    return this.current?.state === CompetitionState.Active
  }

  /** Active competition with the latest start, otherwise the one that ended last; null if none has begun. */
  get current(): CompetitionFacts | null {
    let best: CompetitionFacts | null = null
    for (const facts of this.#byId.values()) {
      if (facts.state === CompetitionState.Pre) continue
      if (best === null || isMoreCurrent(facts, best)) best = facts
    }
    return best
  }

  /** Returns all competitions, latest start first. */
  list(): CompetitionFacts[] {
    return [...this.#byId.values()].sort((a, b) => b.startMillis - a.startMillis || b.id - a.id)
  }
}

/** Reads a competition from an event. */
function competitionFacts(event: CompetitionEvent): CompetitionFacts {
  const { competitionId: id, conditions, createdMillis, endMillis, startMillis, state } = event
  let at = event.textsAt
  const take = (bytes: number) => {
    at += bytes
    return Buffer.from(event.u8.subarray(at - bytes, at)).toString('utf8')
  }
  return {
    ...{ id, state, startMillis, endMillis, winConditions: winConditionsOf(conditions) },
    // In storage order.
    name: take(event.nameBytes),
    description: take(event.descriptionBytes) || null,
    rulesUrl: take(event.urlBytes) || null,
    rulesContent: take(event.rulesBytes) || null,
    ...{ createdMillis, updatedMillis: event.updatedMillis },
  }
}

/** Formats a competition for an answer. */
export function competitionJson(facts: CompetitionFacts): Competition {
  const conditions = facts.winConditions.map(metricNameOf)
  return {
    id: facts.id,
    name: facts.name,
    description: facts.description,
    rules_url: facts.rulesUrl,
    rules_content: facts.rulesContent,
    win_conditions: conditions,
    primary_win_condition: conditions[0]!,
    start_ts_ms: facts.startMillis,
    end_ts_ms: facts.endMillis,
    state: stateNameOf(facts.state),
    created_at: new Date(facts.createdMillis).toISOString(),
    updated_at: new Date(facts.updatedMillis).toISOString(),
  }
}

export function metricNameOf(metric: CompetitionMetric) {
  return competitionMetricNames[metric - 1]!
}

export function stateNameOf(state: CompetitionState) {
  return competitionStateNames[state - 1]!
}

function winConditionsOf(conditions: number): CompetitionMetric[] {
  const metrics: CompetitionMetric[] = []
  for (let rest = conditions; rest > 0; rest >>>= 2) metrics.push((rest & 3) as CompetitionMetric)
  return metrics
}

function isMoreCurrent(one: CompetitionFacts, other: CompetitionFacts): boolean {
  const isActive = one.state === CompetitionState.Active
  if (isActive !== (other.state === CompetitionState.Active)) return isActive
  const [a, b] = isActive ? [one.startMillis, other.startMillis] : [one.endMillis, other.endMillis]
  return a !== b ? a > b : one.id > other.id
}
