import type { NumberRow, Row } from '../../schemas/parameter.js'
import { pinningAllowed, takePinning } from './pinning-rows.js'
import { scenarioRows, scenariosAllowed, takeScenarios } from './scenario-rows.js'
import { takeUnderlyings, underlyingsAllowed } from './underlying-rows.js'

/** Parser and range of a configuration row. */
export interface RowForm {
  /** Allowed range in words, for error messages and help. */
  readonly allowed: string
  /** Validates a value from the TOML file; null if it is not allowed. */
  readonly take: (value: unknown) => unknown
  /** Converts the text of a flag or variable to a TOML value for `take`; undefined if it is impossible. */
  readonly read: (text: string) => unknown
  /** Converts the value back to the form in the file. Default: unchanged. */
  readonly show?: (value: never) => unknown
}

const numberPattern = /^-?(\d+(\.\d+)?|\.\d+)(e[+-]?\d+)?$/i
const switchWords: Readonly<Record<string, boolean>> = {
  true: true,
  on: true,
  yes: true,
  '1': true,
  false: false,
  off: false,
  no: false,
  '0': false,
}
const unchanged = (text: string) => text
/** Only the file can set it. */
const fileOnly = () => undefined

const shapes: Readonly<Record<string, RowForm>> = {
  pinning: { allowed: pinningAllowed, take: takePinning, read: fileOnly },
  scenarios: {
    allowed: scenariosAllowed,
    take: takeScenarios,
    read: fileOnly,
    show: scenarioRows,
  },
  underlyings: { allowed: underlyingsAllowed, take: takeUnderlyings, read: fileOnly },
}

export function formOf(row: Row): RowForm {
  switch (row.kind) {
    case 'switch':
      return form('true or false', isBoolean, (text) => switchWords[text.toLowerCase()])
    case 'choice':
    case 'either': {
      const words: readonly unknown[] = row.words
      return form(words.join(', '), (value) => words.includes(value), unchanged)
    }
    case 'text':
      return form(row.allowed, (value) => isText(value, row.isAllowed), unchanged)
    case 'list': {
      const isList = (value: unknown) =>
        Array.isArray(value) && value.every((item) => isText(item, row.isAllowed))
      return form(row.allowed, isList, (text) => (text === '' ? [] : text.split(',')))
    }
    case 'shaped':
      return shapes[row.shape]!
    default:
      return numberForm(row)
  }
}

/** Returns the description of a parameter, with its unit and range. */
export function aboutOf(row: Row): string {
  const unit = 'bounds' in row ? row.bounds[2] : undefined
  return `${row.about} (${unit === undefined ? '' : `${unit}, `}${formOf(row).allowed})`
}

function form(
  allowed: string,
  isAllowed: (value: unknown) => boolean,
  read: RowForm['read'],
): RowForm {
  return { allowed, take: (value) => (isAllowed(value) ? value : null), read }
}

function numberForm({ kind, bounds: [min, max] }: NumberRow): RowForm {
  const { name, isKind } = numberKinds[kind]
  const isAllowed = (value: unknown) =>
    typeof value === 'number' && isKind(value) && value >= min && value <= max
  return form(`${name} from ${min} to ${max}`, isAllowed, (text) =>
    numberPattern.test(text) ? Number(text) : text,
  )
}

const numberKinds = {
  integer: { name: 'integer', isKind: Number.isSafeInteger },
  number: { name: 'number', isKind: Number.isFinite },
  millionths: { name: 'multiple of 0.000001', isKind: isMillionths },
}

function isMillionths(value: number): boolean {
  return Number.isFinite(value) && Math.round(value * 1_000_000) / 1_000_000 === value
}

function isBoolean(value: unknown): boolean {
  return typeof value === 'boolean'
}

function isText(value: unknown, isAllowed: (text: string) => boolean): boolean {
  return typeof value === 'string' && isAllowed(value)
}
