import type { Scenario } from '../../engine/pricing/scenarios.js'
import { ScenarioKind, scenarioKindNames } from '../../schemas/domain.js'

const rowsMax = 64
const rowFields = ['id', 'kind', 'spot', 'vol', 'skew', 'kurtosis', 'weight', 'tail']

/** Allowed values of `risk.*.scenarios`, in words. */
export const scenariosAllowed =
  `1 to ${rowsMax} tables {id, spot, vol, kind?, skew?, kurtosis?, weight?, tail?} with unique ids, ` +
  'spot and vol above -1, weight from 0.001 to 1 in thousandths'

/**
 * Converts rows of a TOML array of tables to scenarios. Shocks are fractions. The default of `kind` follows from the
 * spot shock.
 * @returns Null if a row or a field is not allowed.
 */
export function takeScenarios(value: unknown): readonly Scenario[] | null {
  if (!Array.isArray(value) || value.length === 0 || value.length > rowsMax) return null
  const rows: Scenario[] = []
  const ids = new Set<string>()
  for (const item of value) {
    const row = takeScenario(item)
    if (row === null || ids.has(row.id)) return null
    ids.add(row.id)
    rows.push(row)
  }
  return rows
}

/** Converts scenarios to the rows that `takeScenarios` reads. */
export function scenarioRows(scenarios: readonly Scenario[]): readonly object[] {
  return scenarios.map((row) => ({
    id: row.id,
    kind: scenarioKindNames[row.kind],
    spot: row.spotShift,
    vol: row.volShift,
    skew: row.skew,
    kurtosis: row.kurtosis,
    weight: row.weightPermille / 1000,
    tail: row.isTail,
  }))
}

function takeScenario(item: unknown): Scenario | null {
  if (typeof item !== 'object' || item === null) return null
  const row = item as Readonly<Record<string, unknown>>
  if (Object.keys(row).some((name) => !rowFields.includes(name))) return null
  const id = row['id']
  if (typeof id !== 'string' || id.length === 0) return null
  const spotShift = fraction(row['spot'])
  const volShift = fraction(row['vol'])
  const skew = fraction(row['skew'] ?? 0)
  const kurtosis = fraction(row['kurtosis'] ?? 0)
  const weightPermille = takeWeight(row['weight'] ?? 1)
  const kind = takeKind(row['kind'], spotShift)
  if (![spotShift, volShift, skew, kurtosis, weightPermille].every(Number.isFinite)) return null
  if (kind === null) return null
  const tail = row['tail'] ?? weightPermille < 1000
  if (typeof tail !== 'boolean') return null
  return { id, kind, spotShift, volShift, skew, kurtosis, weightPermille, isTail: tail }
}

/** Returns NaN if the value is not a shock. */
function fraction(value: unknown): number {
  return typeof value === 'number' && value > -1 && value <= 10 ? value : Number.NaN
}

function takeWeight(value: unknown): number {
  if (typeof value !== 'number') return Number.NaN
  const permille = Math.round(value * 1000)
  const isExact = Math.abs(permille - value * 1000) < 1e-9
  return isExact && permille >= 1 && permille <= 1000 ? permille : Number.NaN
}

function takeKind(value: unknown, spotShift: number): ScenarioKind | null {
  if (value === undefined) {
    return spotShift === 0 ? ScenarioKind.VolChange : ScenarioKind.SpotChange
  }
  const kind = (scenarioKindNames as readonly unknown[]).indexOf(value)
  return kind < 0 ? null : (kind as ScenarioKind)
}
