/** One value of the configuration: its default, what it may be, and how text becomes it. */
export interface ConfigKey<Value> {
  readonly isKey: true
  /** What `--help` and `README.md` say about it. */
  readonly about: string
  readonly fallback: Value
  /** The allowed range in words, for mistakes and for people. */
  readonly allowed: string
  /** Whether a flag of its own stands in `--help`; every other key is reached by `--set`. */
  readonly hasFlag: boolean
  /** Never shown in logs or by `--print-config`. */
  readonly isSecret: boolean
  /** A value of the TOML file, or null when it is not allowed. */
  readonly take: (value: unknown) => Value | null
  /** Text of a flag or of the environment as a TOML value, for `take` to judge; undefined: no such value. */
  readonly read: (text: string) => unknown
}

interface KeyOptions {
  readonly hasFlag?: boolean
  readonly isSecret?: boolean
}

interface NumberOptions extends KeyOptions {
  readonly min: number
  readonly max: number
}

const numberPattern = /^-?(\d+(\.\d+)?|\.\d+)(e[+-]?\d+)?$/i

/** A whole number between two bounds, both included. */
export function integerKey(
  fallback: number,
  about: string,
  options: NumberOptions,
): ConfigKey<number> {
  return numeric(fallback, about, options, Number.isSafeInteger, 'whole number')
}

/** A finite number between two bounds, both included. */
export function numberKey(
  fallback: number,
  about: string,
  options: NumberOptions,
): ConfigKey<number> {
  return numeric(fallback, about, options, Number.isFinite, 'number')
}

/** A share between two bounds that the engine works with exactly: a multiple of 0.000001. */
export function shareKey(
  fallback: number,
  about: string,
  options: NumberOptions,
): ConfigKey<number> {
  return numeric(fallback, about, options, isMillionths, 'multiple of 0.000001')
}

/** Text of at least one character that `isAllowed` accepts. */
export function textKey(
  fallback: string,
  about: string,
  allowed: string,
  isAllowed: (text: string) => boolean,
  options: KeyOptions = {},
): ConfigKey<string> {
  return {
    ...baseOf(about, allowed, options),
    fallback,
    take: (value) => (typeof value === 'string' && isAllowed(value) ? value : null),
    read: (text) => text,
  }
}

/** One of a few words. */
export function choiceKey<const Choice extends string>(
  fallback: NoInfer<Choice>,
  about: string,
  choices: readonly Choice[],
  options: KeyOptions = {},
): ConfigKey<Choice> {
  return {
    ...baseOf(about, choices.join(', '), options),
    fallback,
    take: (value) => choices.find((choice) => choice === value) ?? null,
    read: (text) => text,
  }
}

/** Yes or no: a TOML boolean, or one of the usual words on the command line. */
export function switchKey(
  fallback: boolean,
  about: string,
  options: KeyOptions = {},
): ConfigKey<boolean> {
  return {
    ...baseOf(about, 'true or false', options),
    fallback,
    take: (value) => (typeof value === 'boolean' ? value : null),
    read: (text) => switchWords[text.toLowerCase()],
  }
}

/** A list of texts; on the command line separated by commas. */
export function listKey(
  fallback: readonly string[],
  about: string,
  allowed: string,
  isAllowed: (text: string) => boolean,
): ConfigKey<readonly string[]> {
  return {
    ...baseOf(about, allowed, {}),
    fallback,
    take: (value) => (isListOf(value, isAllowed) ? value : null),
    read: (text) => (text === '' ? [] : text.split(',')),
  }
}

/** A value with a shape of its own, which only the file can give. */
export function shapedKey<Value>(
  fallback: Value,
  about: string,
  allowed: string,
  take: (value: unknown) => Value | null,
): ConfigKey<Value> {
  return { ...baseOf(about, allowed, {}), fallback, take, read: () => undefined }
}

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

function baseOf(about: string, allowed: string, options: KeyOptions) {
  return {
    isKey: true as const,
    about,
    allowed,
    hasFlag: options.hasFlag ?? false,
    isSecret: options.isSecret ?? false,
  }
}

function numeric(
  fallback: number,
  about: string,
  options: NumberOptions,
  isKind: (value: number) => boolean,
  kind: string,
): ConfigKey<number> {
  return {
    ...baseOf(about, `${kind} from ${options.min} to ${options.max}`, options),
    fallback,
    take: (value) => {
      if (typeof value !== 'number' || !isKind(value)) return null
      return value >= options.min && value <= options.max ? value : null
    },
    read: (text) => (numberPattern.test(text) ? Number(text) : text),
  }
}

function isMillionths(value: number): boolean {
  return Number.isFinite(value) && Math.round(value * 1_000_000) / 1_000_000 === value
}

function isListOf(
  value: unknown,
  isAllowed: (text: string) => boolean,
): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string' && isAllowed(item))
}
