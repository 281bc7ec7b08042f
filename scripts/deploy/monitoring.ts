import { Counters } from '../../engine/memory/counters.js'
import { allocateExchangeMemory, doorbellOf } from '../../engine/memory/exchange-memory.js'
import type { Metric } from '../../gateway/operator/metric-text.js'
import { metricsOf } from '../../gateway/operator/metrics.js'
import { type Alarm, alarms } from './alarms.js'

// What watches a venue, made from the tables that its metrics and alarms stand in.

const prefix = 'strikebook_'
const panelColumns = 3
const panelSize = { w: 24 / panelColumns, h: 7 }
const window = '[5m]'

/** The table of metrics, of a venue that does not run. */
export function metricTable(): readonly Metric[] {
  const memory = allocateExchangeMemory(1, 1)
  return metricsOf({
    ...{ memory, counters: new Counters(memory.counters, doorbellOf.operator), version: '' },
    ...{ recovery: 'native', sockets: { total: 0, max: 0 } },
    withdrawals: () => {
      throw new Error('no figures are read')
    },
    lostFiles: () => ({}),
  })
}

/** Rules of Prometheus. */
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

/** The alarms as a page of the operating guide. */
export function alarmPage(rows: readonly Alarm[] = alarms): string {
  const lines = rows.map(
    ({ name, severity, means, action }) => `| \`${name}\` | ${severity} | ${means} | ${action} |`,
  )
  const head = '| Alarm | Severity | What it means | What to do |\n|---|---|---|---|'
  return `# Alarms\n\nMade from \`scripts/deploy/alarms.ts\`, as the rules in \`alerts.yml\` are.\n\n${head}\n${lines.join('\n')}\n`
}

/** A dashboard of Grafana: a panel per metric. */
export function dashboard(metrics: readonly Metric[]): string {
  const panels = metrics.map((metric, index) => ({
    id: index + 1,
    type: 'timeseries',
    title: metric.help,
    datasource: { type: 'prometheus', uid: '$datasource' },
    gridPos: {
      ...panelSize,
      x: (index % panelColumns) * panelSize.w,
      y: Math.floor(index / panelColumns) * panelSize.h,
    },
    fieldConfig: { defaults: { unit: unitOf(metric) }, overrides: [] },
    targets: [{ refId: 'A', expr: expressionOf(metric) }],
  }))
  const variable = { name: 'datasource', type: 'datasource', query: 'prometheus' }
  const board = {
    ...{ title: 'Strikebook', uid: 'strikebook', schemaVersion: 39, refresh: '10s' },
    ...{ time: { from: 'now-1h', to: 'now' }, templating: { list: [variable] }, panels },
  }
  return `${JSON.stringify(board, null, 2)}\n`
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

/** Names of the metrics that an expression reads, without what is put behind those of histograms. */
export function metricNamesIn(expression: string): readonly string[] {
  const found = expression.match(/strikebook_[a-z0-9_]+/g) ?? []
  return found.map((name) => name.slice(prefix.length).replace(/_(bucket|sum|count)$/, ''))
}

/** What is generated, by file. */
export function monitoringFiles(): Readonly<Record<string, string>> {
  return {
    'alerts.yml': alertRules(),
    'README.md': alarmPage(),
    'dashboard.json': dashboard(metricTable()),
  }
}
