import { tableLines } from './inspect/view.js'
import type { Check } from './machine-checks.js'

const gap = '  '
const adviceMark = 'fix: '

/**
 * Returns the result of `doctor` for people. In a terminal, long texts wrap with a hanging indent, and the advice is below
 * the finding.
 * @param columns Width of the terminal; undefined: no terminal, so each check is one line.
 */
export function doctorLines(
  checks: readonly Check[],
  columns: number | undefined,
): readonly string[] {
  if (columns === undefined) {
    const rows = checks.map(({ name, standing, found, advice }) => [name, standing, found, advice])
    return tableLines(['check', 'rating', 'found', 'fix'], rows)
  }
  const leads = tableLines(
    ['check', 'rating'],
    checks.map(({ name, standing }) => [name, standing]),
  )
  const indent = Math.max(...leads.map(({ length }) => length)) + gap.length
  const texts = checks.map(({ found, advice }) => [
    ...wrappedLines(found, columns - indent),
    ...(advice === '' ? [] : wrappedLines(`${adviceMark}${advice}`, columns - indent)),
  ])
  return [['found'], ...texts].flatMap((lines, row) =>
    lines.map((line, place) => `${(place === 0 ? leads[row]! : '').padEnd(indent)}${line}`),
  )
}

/** Wraps a text at word boundaries. Breaks a word longer than a line, such as a path, anywhere. */
function wrappedLines(text: string, width: number): readonly string[] {
  const piece = new RegExp(`\\S{1,${Math.max(1, width)}}`, 'g')
  const lines: string[] = []
  let line = ''
  for (const word of text.split(/\s+/)) {
    for (const [part] of word.matchAll(piece)) {
      const longer = line === '' ? part : `${line} ${part}`
      if (longer.length > width && line !== '') lines.push(line)
      line = longer.length > width ? part : longer
    }
  }
  return [...lines, line]
}
