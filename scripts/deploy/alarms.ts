import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'smol-toml'

/** Alarm: a Prometheus rule, and a row of the operating guide. */
export interface Alarm {
  readonly name: string
  readonly expression: string
  /** Time for which the expression must hold before the alarm fires. */
  readonly for: string
  readonly severity: 'page' | 'ticket'
  readonly means: string
  readonly action: string
}

const file = join(import.meta.dirname, '../../../scripts/deploy/alarms.toml')

export const alarms: readonly Alarm[] = Object.entries(parse(readFileSync(file, 'utf8'))).map(
  ([name, fields]) => ({ name, ...(fields as object) }) as Alarm,
)
