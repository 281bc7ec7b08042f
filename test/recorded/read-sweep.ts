import type { Wire } from '../e2e/support/venue.js'
import type { RecordedVenue } from './recorded-venue.js'

/** Parameter values by name; for a path parameter, by path. */
export type SweepValues = Readonly<Record<string, readonly (string | number)[]>>

const wrongValue = '!'

/**
 * Sends each read of a document with its required parameters only, then with each value of each other parameter.
 * @param isWhole also sends invalid values, and omits required and adds unknown parameters.
 */
export async function sweepReads(
  venue: RecordedVenue,
  document: Wire,
  values: SweepValues,
  isWhole: boolean,
  port: 'public' | 'operator' = 'public',
): Promise<void> {
  for (const [path, { get }] of Object.entries<Wire>(document.paths)) {
    if (get === undefined) continue
    for (const query of queriesOf(path, get, values, isWhole))
      await venue.call('GET', query, { port })
  }
}

function queriesOf(path: string, read: Wire, values: SweepValues, isWhole: boolean): string[] {
  const { parameters = [], 'x-either': groups = [[]] } = read
  const of = (place: string): Wire[] => parameters.filter((each: Wire) => each.in === place)
  const [inPath] = of('path')
  const paths = (values[path] ?? values[inPath?.name] ?? ['1']).map((value) =>
    path.replace(/\{\w+\}/, String(value)),
  )
  const isOf = (names: readonly string[], { name }: Wire) => names.includes(name)
  const grouped: string[] = groups.flat()
  const queries: Record<string, string>[] = []
  for (const group of groups) {
    const required = of('query').filter((each) => each.required || isOf(group, each))
    const others = of('query').filter((each) => !each.required && !isOf(grouped, each))
    const first = Object.fromEntries(
      required.map((each) => [each.name, valuesOf(each, values)[0]!]),
    )
    queries.push(first)
    for (const each of [...required, ...others]) {
      const wrong = isWhole ? [wrongValue] : []
      for (const value of [...valuesOf(each, values), ...wrong]) {
        if (first[each.name] !== value) queries.push({ ...first, [each.name]: value })
      }
    }
  }
  if (isWhole) queries.push({ unknown: wrongValue })
  const [onePath, ...otherPaths] = inPath === undefined ? [path] : paths
  return [
    ...queries.map((query) => `${onePath}?${new URLSearchParams(query)}`),
    ...otherPaths,
    ...(isWhole && inPath !== undefined ? [path.replace(/\{\w+\}/, wrongValue)] : []),
    ...(isWhole && Object.keys(queries[0]!).length > 0 ? [onePath!] : []),
  ].map((query) => query.replace(/\?$/, ''))
}

function valuesOf({ name, example, schema }: Wire, values: SweepValues): readonly string[] {
  const { type, minimum, examples } = schema
  const names = schema.enum ?? schema.items?.enum
  const isFlag = type === 'boolean' || type?.includes?.('boolean')
  const given = values[name] ?? names ?? (isFlag ? ['true', 'false'] : null)
  return (given ?? [example ?? examples?.[0] ?? minimum ?? '1']).map(String)
}
