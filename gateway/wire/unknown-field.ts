import { type Result, resultText } from '../../schemas/results.js'
import { printable } from './shown-text.js'

/** Names are near if at most one letter in this many differs, relative to the longer name. */
const lettersPerMistake = 3
const listedMax = 12

/** Returns the text for an unknown field, with the known name that was probably meant. */
export function unknownFieldText(given: string, known: Iterable<string>): string {
  const name = printable(given)
  const names = [...known]
  const near = nearestName(name, names)
  if (near !== null) return `Unknown field: ${name}${didYouMean(near)}`
  const listed = names.length > 0 && names.length <= listedMax ? `; known: ${names.join(', ')}` : ''
  return `Unknown field: ${name}${listed}`
}

/** Returns the text of a result for an unknown path, with the nearest served one. */
export function unknownPathText(result: Result, given: string, known: Iterable<string>): string {
  const path = printable(given)
  const near = nearestName(path, [...known])
  return `${resultText(result, {})}: ${path}${near === null ? '' : didYouMean(near)}`
}

function didYouMean(near: string): string {
  return ` (did you mean ${near}?)`
}

/** Removes differences between naming conventions: case, underscores and hyphens. */
export function plainName(name: string): string {
  return name.replace(/[_-]/g, '').toLowerCase()
}

/**
 * Returns the known name that was probably meant: one that differs only in case and separators, otherwise in few
 * letters, otherwise one that contains the other as a word (`id` in `deposit_id`).
 */
export function nearestName(name: string, known: Iterable<string>): string | null {
  const plain = plainName(name)
  let nearest: string | null = null
  let leastMistakes = Number.POSITIVE_INFINITY
  for (const candidate of known) {
    const other = plainName(candidate)
    const mistakesMax = Math.floor(Math.max(plain.length, other.length) / lettersPerMistake)
    if (Math.abs(plain.length - other.length) > mistakesMax) continue
    const mistakes = other === plain ? 0 : editDistance(plain, other)
    if (mistakes > mistakesMax || mistakes >= leastMistakes) continue
    nearest = candidate
    leastMistakes = mistakes
  }
  if (nearest !== null) return nearest
  for (const candidate of known) {
    if (isWordOf(name, candidate) || isWordOf(candidate, name)) return candidate
  }
  return null
}

function isWordOf(word: string, name: string): boolean {
  return name.split(/[_-]/).includes(word)
}

/** Returns the number of insertions, deletions and substitutions. */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, at) => at)
  for (let i = 1; i <= from.length; i++) {
    const next = [i]
    for (let j = 1; j <= to.length; j++) {
      const exchanged = row[j - 1]! + (from[i - 1] === to[j - 1] ? 0 : 1)
      next.push(Math.min(exchanged, row[j]! + 1, next[j - 1]! + 1))
    }
    row = next
  }
  return row[to.length]!
}
