import { type Answer, type Envelope, refusedAnswer } from './answers.js'
import type { QueryReader } from './query-reader.js'

/** A route that answers from a `Source`. */
export interface Route<Source> {
  /** In which its refusals stand. */
  readonly envelope: Envelope
  readonly answer: (query: QueryReader, source: Source) => Answer
}

/**
 * A route that reads all its parameters first, and answers only if nothing of the query is refused.
 * @param answer is given what `read` has read.
 */
export function route<Source, Parameters>(
  envelope: Envelope,
  read: (query: QueryReader, source: Source) => Parameters,
  answer: (parameters: Parameters, source: Source) => Answer,
): Route<Source> {
  return {
    envelope,
    answer: (query, source) => {
      const parameters = read(query, source)
      const { refusal } = query
      return refusal === null ? answer(parameters, source) : refusedAnswer(envelope, refusal)
    },
  }
}
