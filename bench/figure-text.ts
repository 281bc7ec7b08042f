import type { CommonRow } from './common-row.js'
import { type FigureLine, figureLines, figureSuites, headlines } from './figure-tables.js'
import { keepsThreshold } from './measure/bench-result.js'

/** Facts of a run that its figures are shown with. */
export interface RunFacts {
  readonly cpu: string
  readonly cores: number
  /** Version of Node, with its `v`. */
  readonly node: string
  readonly release: string
  /** Start of the run, as ISO text. */
  readonly date: string
  /** Load of the machine in the minute before the run. */
  readonly load: number
}

type Row = Pick<CommonRow, 'name' | 'value' | 'range' | 'threshold' | 'suite'>

const placeholder = /\{([^}|]+)(?:\|(\w+))?\}/g
const formats: Readonly<Record<string, (value: number) => number>> = {
  plain: (value) => value,
  thousands: (value) => value * 1000,
  millions: (value) => value / 1e6,
}

/** Returns the names of the rows that the tables need. */
export function figureNames(): ReadonlySet<string> {
  const templates = [
    ...headlines.map(({ figure }) => figure),
    ...figureLines.flatMap(({ median, ratio }) => [median, ratio]),
  ]
  return new Set(templates.flatMap(namesIn))
}

/**
 * Returns the section with the headline figures.
 * @throws Error that names the rows without a measurement.
 */
export function headlineText(facts: RunFacts, rows: readonly Row[]): string {
  const known = byName(rows)
  const lines = headlines.map(({ what, figure }) => {
    const [first] = namesIn(figure)
    const { suite } = known.get(first!)!
    return `| ${what} | ${filled(figure, known, false)} | \`npx strikebook bench ${suite}\` |`
  })
  return [...factLines(facts), '', '| What | Figure | Command |', '|---|---|---|', ...lines].join(
    '\n',
  )
}

/**
 * Returns the section with the main table. Figures that miss their threshold are bold.
 * @throws Error that names the rows without a measurement.
 */
export function mainTableText(facts: RunFacts, rows: readonly Row[]): string {
  const known = byName(rows)
  return [
    ...factLines(facts),
    'Bold figures miss the required value.',
    '',
    '| What | Median | Ratio in the same run | Required | Limited by |',
    '|---|---|---|---|---|',
    ...figureLines.map((line) => lineText(line, known)),
  ].join('\n')
}

function lineText({ what, median, ratio, limitedBy }: FigureLine, rows: Rows): string {
  const cells = [
    what,
    filled(median, rows, true),
    filled(ratio, rows, true),
    requiredText(`${median} ${ratio}`, rows),
    limitedBy,
  ]
  return `| ${cells.join(' | ')} |`.replaceAll('|  |', '| |')
}

function factLines({ cpu, cores, date, load, node, release }: RunFacts): string[] {
  return [
    `Release ${release}, measured once on ${date.slice(0, 10)}: ${cpu}, ${cores} cores, Node ${node.replace('v', '')},`,
    `load ${numberText(load)} before the run. Medians of alternating repeats; client and venue share the cores.`,
  ]
}

type Rows = ReadonlyMap<string, Row>

/** Returns the rows by name. @throws Error if rows of the tables are missing. */
function byName(rows: readonly Row[]): Rows {
  const known = new Map(rows.map((row) => [row.name, row]))
  const missing = [...figureNames()].filter((name) => !known.has(name))
  if (missing.length === 0) return known
  throw new Error(
    `the result has no ${missing.join(', no ')}; ` +
      `all figures need \`npx strikebook bench ${figureSuites.join(' ')}\` in one run`,
  )
}

function namesIn(template: string): readonly string[] {
  return [...template.matchAll(placeholder)].map(([, name]) => name!)
}

function filled(template: string, rows: Rows, isJudged: boolean): string {
  return template.replaceAll(placeholder, (_, name: string, format = 'plain') => {
    const row = rows.get(name)!
    if (format === 'range') return rangeText(row.range)
    const text = numberText(formats[format]!(row.value))
    return isJudged && !keepsThreshold(row) ? `**${text}**` : text
  })
}

/** Returns the thresholds of the rows in a template. Equal neighbours are one. */
function requiredText(template: string, rows: Rows): string {
  const limits = [...template.matchAll(placeholder)].flatMap(([, name, format = 'plain']) => {
    const { threshold } = rows.get(name!)!
    if (threshold === null || format === 'range') return []
    const limit = 'atLeast' in threshold ? threshold.atLeast : threshold.atMost
    return [numberText(formats[format]!(limit))]
  })
  return limits.filter((limit, i) => limit !== limits[i - 1]).join(', ')
}

/** Formats `0.51234 to 0.84` as `0.512 to 0.84`. */
function rangeText(range: string): string {
  return range
    .split(' to ')
    .map((bound) => numberText(Number(bound)))
    .join(' to ')
}

/** Formats a number with three significant digits. */
function numberText(value: number): string {
  return Number(value.toPrecision(3)).toLocaleString('en-US', { maximumFractionDigits: 10 })
}
