import { Envelope } from '../../../schemas/interface/answer.js'
import { Result } from '../../../schemas/results.js'
import { type Answer, refusedAnswer } from '../../wire/answers.js'

export function notFound(message: string, envelope: Envelope = Envelope.Success): Answer<never> {
  return refusedAnswer(envelope, { result: Result.NotFound, message })
}
