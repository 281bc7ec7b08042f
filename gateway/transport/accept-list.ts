/** Returns the quality of each range that an `Accept` or `Accept-Encoding` names; 1 for a range without one. */
export function qualitiesOf(list: string): ReadonlyMap<string, number> {
  return new Map(list.split(',').map(rangeOf))
}

function rangeOf(text: string): readonly [string, number] {
  const [range = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase())
  const quality = parameters.find((parameter) => parameter.startsWith('q='))
  return [range, quality === undefined ? 1 : Number(quality.slice(2)) || 0]
}
