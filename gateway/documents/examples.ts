import { Envelope } from '../../schemas/interface/answer.js'
import { resultsOfCodes } from '../../schemas/interface/errors.js'
import { resultRows } from '../../schemas/results.js'
import { refusedAnswer } from '../wire/answers.js'
import { Fault } from '../wire/fault.js'
import { recordedExamples } from './generated/recorded-examples.js'

// Examples of answers and messages. An end-to-end test received each of them; lists are cut to one row.

/** Examples by operation or type of message, then by name. */
export type ExamplesByName = Readonly<Record<string, Readonly<Record<string, unknown>>>>

/** Messages that the end-to-end tests received and sent. */
export interface RecordedExamples {
  /** Answers with status 200, by method and path. */
  readonly answers: ExamplesByName
  /** Bodies of errors, by name of their envelope and by code. */
  readonly errors: ExamplesByName
  /** Messages of the streams, by type. */
  readonly messages: ExamplesByName
  /** Frames of quote providers, by type. */
  readonly frames: ExamplesByName
  /** Answers of the operator interface with status 200, by method and path. */
  readonly operator: ExamplesByName
}

type Json = Readonly<Record<string, unknown>>

const examplePath = '#/components/examples/'
const envelopesByName: Readonly<Record<string, Envelope>> = {
  Error: Envelope.Bare,
  ErrorOfList: Envelope.Success,
  ErrorOfData: Envelope.Data,
}
const envelopeNames = Object.keys(envelopesByName)

/**
 * Returns the examples of a body in the form of OpenAPI; empty if there are none.
 * @param version of the documented venue, for answers with a version.
 */
export function bodyExamples(examples: ExamplesByName, key: string, version = ''): Json {
  const known = examples[key]
  if (known === undefined) return {}
  const values = Object.entries(known).map(([name, recorded]) => {
    const { version: old } = recorded as { readonly version?: string }
    const value = old === undefined ? recorded : { ...(recorded as Json), version }
    return [name, { value }] as const
  })
  return { examples: Object.fromEntries(values) }
}

/** Returns the examples of a message in the form of AsyncAPI; empty if there are none. */
export function messageExamples(section: 'messages' | 'frames', type: string): Json {
  const known = recordedExamples[section][type]
  if (known === undefined) return {}
  const examples = Object.entries(known).map(([name, payload]) => ({ name, payload }))
  return { examples }
}

/** Returns references to the examples of errors with these codes; the document has each once. */
export function errorExamples(envelope: Envelope, codes: readonly string[]): Json {
  const name = envelopeNames.find((one) => envelopesByName[one] === envelope)!
  const refs = codes.map((code) => [code, { $ref: `${examplePath}${name}.${code}` }] as const)
  return Object.fromEntries(refs)
}

/** Returns the examples that a value refers to, by name. */
export function examplesNamedIn(value: unknown): Json {
  const found = JSON.stringify(value).matchAll(/"#\/components\/examples\/([^"]+)"/g)
  const names = [...new Set([...found].map(([, name]) => name!))].sort()
  return Object.fromEntries(names.map((name) => [name, { value: errorBody(name) }]))
}

/** Returns a recorded error, or else one made from the table of results. */
function errorBody(name: string): unknown {
  const [envelope, code] = name.split('.') as [string, string]
  const received = recordedExamples.errors[envelope]?.[code]
  if (received !== undefined) return received
  const result = resultsOfCodes(code).find((one) => resultRows[one].http !== 200)!
  return JSON.parse(refusedAnswer(envelopesByName[envelope]!, new Fault(result)).body)
}
