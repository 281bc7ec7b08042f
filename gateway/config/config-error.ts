/** Invalid value: its source, its text, and the allowed range. */
export interface ConfigMistake {
  readonly path: string
  /** Source of the value: a flag, an environment variable, the file. */
  readonly source: string
  readonly value: string
  /** Absent if `value` already describes the mistake. */
  readonly allowed?: string
  /** Known name that resembles the unknown one. */
  readonly near?: string | null
}

/** All mistakes of a configuration. The process exits with code 2. */
export class ConfigError extends Error {
  readonly mistakes: readonly ConfigMistake[]

  constructor(mistakes: readonly ConfigMistake[]) {
    super(mistakes.map(mistakeText).join('\n'))
    this.name = 'ConfigError'
    this.mistakes = mistakes
  }
}

function mistakeText({ path, source, value, allowed, near = null }: ConfigMistake): string {
  if (allowed === undefined) return `${path}: ${value} (${source})`
  if (near !== null) return `${path}: ${value} (${source}); did you mean ${near}?`
  return `${path}: ${value} (${source}) is not allowed; allowed: ${allowed}`
}
