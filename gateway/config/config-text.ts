import { stringify } from 'smol-toml'
import { byTables, valueAt } from '../../schemas/parameter.js'
import { type Config, configRows } from './config-schema.js'
import { aboutOf, formOf } from './row-forms.js'

// Two words are no token: a printed configuration that is read again asks for a real one.
const hidden = '(not shown)'
/** A line of a TOML file that begins a table, or an array of them; and one that gives a value. */
const tableLine = /^\[\[?([\w.-]+)\]\]?$/
const valueLine = /^([\w-]+) = /

/** The configuration as a TOML file that would give it, with a line about each value; secrets hidden. */
export function configAsToml(config: Config): string {
  const abouts = new Map(configRows.map((row) => [row.path, `# ${aboutOf(row)}`]))
  let table = ''
  const lines = stringify(shownConfig(config))
    .split('\n')
    .flatMap((line) => {
      const header = tableLine.exec(line)?.[1]
      const name = valueLine.exec(line)?.[1]
      table = header ?? table
      const path = header ?? (table === '' ? `${name}` : `${table}.${name}`)
      // A table may be one value: then the line about it stands above the first table within.
      const told =
        [...abouts.keys()].find((of) => of === path || header?.startsWith(`${of}.`)) ?? ''
      const about = abouts.get(told)
      abouts.delete(told)
      return about === undefined ? [line] : [about, line]
    })
  return lines.join('\n')
}

/** The configuration as JSON; secrets hidden. */
export function configAsJson(config: Config): string {
  return JSON.stringify(shownConfig(config), null, 2)
}

/** The configuration as it may be shown and logged: values as the file writes them, no secrets. */
export function shownConfig(config: Config): object {
  return byTables(configRows, (row) => {
    const value = valueAt(config, row.path)
    if (row.isSecret && value !== '') return hidden
    const { show } = formOf(row)
    return show === undefined ? value : show(value as never)
  })
}
