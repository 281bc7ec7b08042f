import { Counters } from '../../engine/memory/counters.js'
import { allocateExchangeMemory, wakeupOf } from '../../engine/memory/exchange-memory.js'
import type { Metric } from '../../gateway/operator/metric-text.js'
import { metricsOf } from '../../gateway/operator/metrics.js'
import { type Alarm, alarms } from './alarms.js'

// Monitoring files of a venue, generated from the tables of its metrics and alarms.

const prefix = 'strikebook_'
const panelColumns = 3
const panelSize = { w: 24 / panelColumns, h: 7 }
const statSize = { w: 4, h: 5 }
const window = '[5m]'

/** Returns the metric table, without a running venue. */
export function metricTable(): readonly Metric[] {
  const memory = allocateExchangeMemory(1, 1)
  return metricsOf({
    ...{ memory, counters: new Counters(memory.counters, wakeupOf.operator), version: '' },
    ...{ recovery: 'native', sockets: { total: 0, max: 0 } },
    withdrawals: () => {
      throw new Error('no figures are read')
    },
    lostFiles: () => ({}),
    upkeep: {
      ...{ dataDir: '', certificateEndMillis: null },
      health: { ages: () => [], degradations: () => [] },
    },
  })
}

/** Returns the Prometheus alert rules. */
export function alertRules(rows: readonly Alarm[] = alarms): string {
  const rules = rows.map(({ name, expression, for: span, severity, means, action }) =>
    [
      `      - alert: ${name}`,
      `        expr: ${JSON.stringify(expression)}`,
      `        for: ${span}`,
      `        labels: { severity: ${severity} }`,
      '        annotations:',
      `          summary: ${JSON.stringify(means)}`,
      `          description: ${JSON.stringify(action)}`,
    ].join('\n'),
  )
  return ['groups:', '  - name: strikebook', '    rules:', ...rules, ''].join('\n')
}

/** Returns the alarms as a page of the operating guide. */
export function alarmPage(rows: readonly Alarm[] = alarms): string {
  const lines = rows.map(
    ({ name, severity, means, action }) => `| \`${name}\` | ${severity} | ${means} | ${action} |`,
  )
  const head = '| Alarm | Severity | What it means | What to do |\n|---|---|---|---|'
  return `# Alarms\n\nMade from \`scripts/deploy/alarms.toml\`, as the rules in \`alerts.yml\` are.\n\n${head}\n${lines.join('\n')}\n`
}

/** Key figure in the first row of the dashboard. */
interface Stat {
  readonly title: string
  readonly expression: string
  readonly unit: string
  /** Values at which the figure turns orange and red; descending if less is worse. */
  readonly limits: readonly [orange: number, red: number]
}

const stats: readonly Stat[] = [
  {
    title: 'Takes orders (1: yes)',
    expression: 'min(strikebook_ready) * min(up{job="strikebook"})',
    ...{ unit: 'short', limits: [1, 0.5] },
  },
  {
    title: 'Degraded parts',
    expression: 'sum(strikebook_degraded)',
    ...{ unit: 'short', limits: [1, 2] },
  },
  {
    title: 'Commands a second',
    expression: 'sum(rate(strikebook_commands_total[1m]))',
    ...{ unit: 'short', limits: [5000, 15_000] },
  },
  {
    title: 'Acknowledgement, 99th percentile',
    expression:
      'histogram_quantile(0.99, sum by (le) (rate(strikebook_acknowledgement_seconds_bucket[5m])))',
    ...{ unit: 's', limits: [0.05, 0.25] },
  },
  {
    title: 'Oldest index price',
    expression: 'max(strikebook_index_age_seconds)',
    ...{ unit: 's', limits: [5, 60] },
  },
  {
    title: 'History lag, events',
    expression: 'max(strikebook_sequence) - max(strikebook_history_sequence)',
    ...{ unit: 'short', limits: [10_000, 100_000] },
  },
]
/** Metrics without a panel, because their values never change. */
const withoutPanel: ReadonlySet<string> = new Set(['thread_info', 'build_info'])

/** Returns a Grafana dashboard: a row of key figures, then a panel per metric. */
export function dashboard(metrics: readonly Metric[]): string {
  const shown = metrics.filter(({ name }) => !withoutPanel.has(name))
  const panels = [...stats.map(statPanel), ...shown.map(metricPanel)].map((panel, place) => ({
    id: place + 1,
    datasource: { type: 'prometheus', uid: '$datasource' },
    ...panel,
  }))
  const variable = { name: 'datasource', type: 'datasource', query: 'prometheus' }
  const board = {
    ...{ title: 'Strikebook', uid: 'strikebook', schemaVersion: 39, refresh: '10s' },
    ...{ time: { from: 'now-1h', to: 'now' }, templating: { list: [variable] }, panels },
  }
  return `${JSON.stringify(board, null, 2)}\n`
}

function statPanel({ title, expression, unit, limits }: Stat, place: number) {
  const [orange, red] = limits
  // Steps ascend, so they begin with red if less is worse.
  const steps =
    orange < red
      ? [step(null, 'green'), step(orange, 'orange'), step(red, 'red')]
      : [step(null, 'red'), step(red, 'orange'), step(orange, 'green')]
  return {
    ...{ type: 'stat', title },
    gridPos: { ...statSize, x: place * statSize.w, y: 0 },
    fieldConfig: {
      defaults: { unit, thresholds: { mode: 'absolute', steps } },
      overrides: [],
    },
    targets: [{ refId: 'A', expr: expression }],
  }
}

function step(value: number | null, color: string) {
  return { color, value }
}

function metricPanel(metric: Metric, place: number) {
  return {
    ...{ type: 'timeseries', title: metric.help },
    gridPos: {
      ...panelSize,
      x: (place % panelColumns) * panelSize.w,
      y: statSize.h + Math.floor(place / panelColumns) * panelSize.h,
    },
    fieldConfig: { defaults: { unit: unitOf(metric) }, overrides: [] },
    targets: [{ refId: 'A', expr: expressionOf(metric) }],
  }
}

function expressionOf({ name, type }: Metric): string {
  const full = `${prefix}${name}`
  if (type === 'histogram') {
    return `histogram_quantile(0.99, sum by (le) (rate(${full}_bucket${window})))`
  }
  return name.endsWith('_total') ? `rate(${full}${window})` : full
}

function unitOf({ name }: Metric): string {
  if (/bytes/.test(name)) return name.endsWith('_total') ? 'Bps' : 'bytes'
  if (/timestamp/.test(name)) return 'dateTimeFromNow'
  if (/seconds/.test(name)) return 's'
  return /_usd/.test(name) ? 'currencyUSD' : 'short'
}

/** Returns the names of the metrics in an expression, without the prefix and the suffixes of histograms. */
export function metricNamesIn(expression: string): readonly string[] {
  const found = expression.match(/strikebook_[a-z0-9_]+/g) ?? []
  return found.map((name) => name.slice(prefix.length).replace(/_(bucket|sum|count)$/, ''))
}

/** Returns the generated texts by file name. */
export function monitoringFiles(): Readonly<Record<string, string>> {
  return {
    'alerts.yml': alertRules(),
    'README.md': alarmPage(),
    'dashboard.json': dashboard(metricTable()),
  }
}
