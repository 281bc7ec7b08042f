import { type Result, resultText } from '../../schemas/results.js'
import { printable } from './shown-text.js'

/** Names that are near: as many letters may differ as this share of the longer name. */
const lettersPerMistake = 3
const listedMax = 12

/** Says that a name is none of a request's fields, and which one it may have meant. */
export function unknownFieldText(given: string, known: Iterable<string>): string {
  const name = printable(given)
  const names = [...known]
  const near = nearestName(name, names)
  if (near !== null) return `Unknown field: ${name}${didYouMean(near)}`
  const listed = names.length > 0 && names.length <= listedMax ? `; known: ${names.join(', ')}` : ''
  return `Unknown field: ${name}${listed}`
}

/** Returns the text of a result for a path that the venue does not serve, with the nearest one that it does. */
export function unknownPathText(result: Result, given: string, known: Iterable<string>): string {
  const path = printable(given)
  const near = nearestName(path, [...known])
  return `${resultText(result, {})}: ${path}${near === null ? '' : didYouMean(near)}`
}

function didYouMean(near: string): string {
  return ` (did you mean ${near}?)`
}

/** A name without what clients in other languages write differently: case and what parts words. */
export function plainName(name: string): string {
  return name.replace(/[_-]/g, '').toLowerCase()
}

/**
 * The known name that was probably meant: one that differs in case and underscores only, else by few letters, else one
 * that the other is a word of (`id` of `deposit_id`).
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

/** Letters to put in, take out or exchange. */
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
