import { stringify } from 'smol-toml'
import { byTables, valueAt } from '../../schemas/parameter.js'
import { type Config, configRows } from './config-schema.js'
import { aboutOf, formOf } from './row-forms.js'

// Two words are not a valid token, so a printed configuration that is read again requires a real one.
const hidden = '(not shown)'
/** Patterns of TOML lines: start of a table or array of tables, and assignment. */
const tableLine = /^\[\[?([\w.-]+)\]\]?$/
const valueLine = /^([\w-]+) = /

/** Formats the configuration as the equivalent TOML file, with a comment for each value. Hides secrets. */
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
      // A table may be one value, whose comment then precedes its first inner table.
      const described =
        [...abouts.keys()].find((of) => of === path || header?.startsWith(`${of}.`)) ?? ''
      const about = abouts.get(described)
      abouts.delete(described)
      return about === undefined ? [line] : [about, line]
    })
  return lines.join('\n')
}

/** Formats the configuration as JSON. Hides secrets. */
export function configAsJson(config: Config): string {
  return JSON.stringify(shownConfig(config), null, 2)
}

/** Returns the configuration for output and logs: values as in the file, without secrets. */
export function shownConfig(config: Config): object {
  return byTables(configRows, (row) => {
    const value = valueAt(config, row.path)
    if (row.isSecret && value !== '') return hidden
    const { show } = formOf(row)
    return show === undefined ? value : show(value as never)
  })
}
