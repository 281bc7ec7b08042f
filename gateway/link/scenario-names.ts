import type { Scenario } from '../../engine/pricing/scenarios.js'
import { MarginModelKind, scenarioKindNames } from '../../schemas/domain.js'
import { scenariosPerModel } from '../../schemas/results.js'
import type { Config } from '../config/config-schema.js'
import type { ScenarioName } from './outcome.js'

/** Returns the scenarios of both models, by the index in the details of a rejection. */
export function scenarioNames({ risk }: Config): (ScenarioName | undefined)[] {
  const names: (ScenarioName | undefined)[] = []
  const add = (model: MarginModelKind, scenarios: readonly Scenario[]) => {
    for (const [index, { id, kind }] of scenarios.entries()) {
      names[model * scenariosPerModel + index] = { kind: scenarioKindNames[kind], id }
    }
  }
  add(MarginModelKind.Standard, risk.standard.scenarios)
  add(MarginModelKind.Portfolio, risk.portfolio.scenarios)
  return names
}
