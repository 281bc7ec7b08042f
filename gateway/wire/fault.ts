import { type Result, resultText } from '../../schemas/results.js'
import type { JsonValue } from './json-text.js'
import { boundedMessage, printable } from './shown-text.js'

type Details = Readonly<Record<string, JsonValue>>

/** Failure of a request in the gateway: a row of the result table, with a text for people. */
export class Fault {
  readonly result: Result
  readonly message: string
  /** Values that explain the fault, shown as `details` in the answer; null: none. */
  readonly details: Details | null
  /** Makes the type nominal: callers distinguish faults from values with `instanceof`. */
  protected readonly isFault = true

  /**
   * @param values Fill the `{name}` placeholders of the row's text. All except `detail` may come from a client.
   * @param message Replaces the row's text, for an endpoint with its own.
   * @param details Values as decimal texts.
   */
  constructor(
    result: Result,
    values: Readonly<Record<string, string>> = {},
    message: string = resultText(result, shown(values)),
    details: Details | null = null,
  ) {
    this.result = result
    this.message = boundedMessage(message)
    this.details = details
  }
}

function shown(values: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const entries = Object.entries(values)
  return Object.fromEntries(
    entries.map(([name, text]) => [name, name === 'detail' ? text : printable(text)]),
  )
}
