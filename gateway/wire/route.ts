import type { Envelope } from '../../schemas/interface/answer.js'
import type { Parameters, ValuesOf } from '../../schemas/interface/parameter.js'
import { type Answer, refusedAnswer } from './answers.js'
import { readerOf } from './parameter-readers.js'
import type { QueryReader } from './query-reader.js'

/** Part of a row that a route needs. */
export interface RouteRow<P extends Parameters, Data = unknown> {
  readonly answer: { readonly envelope: Envelope; readonly data?: Data }
  readonly query: P
}

/** Route that answers from a `Source`. */
export interface Route<Source> {
  /** Envelope of its errors. */
  readonly envelope: Envelope
  readonly answer: (query: QueryReader, source: Source) => Answer
}

/**
 * Creates a route that reads all its parameters first, and answers only if all are valid.
 * @param answer Receives the parameter values; its data has the type of the row.
 * @param check Reports values that exclude each other.
 */
export function route<P extends Parameters, Data, Source>(
  { answer: { envelope }, query: parameters }: RouteRow<P, Data>,
  answer: (read: ValuesOf<P>, source: Source) => Answer<NoInfer<Data>>,
  check: (read: ValuesOf<P>, query: QueryReader) => void = () => {},
): Route<Source> {
  const readAll = readerOf(parameters)
  const read = (query: QueryReader) => {
    const values = readAll(query)
    check(values, query)
    return values
  }
  return routeBy(envelope, read, answer)
}

/** Creates a route with its own reader of query or body. */
export function routeBy<Source, Read>(
  envelope: Envelope,
  read: (query: QueryReader, source: Source) => Read,
  answer: (read: Read, source: Source) => Answer,
): Route<Source> {
  return {
    envelope,
    answer: (query, source) => {
      const values = read(query, source)
      const { refusal } = query
      return refusal === null ? answer(values, source) : refusedAnswer(envelope, refusal)
    },
  }
}
