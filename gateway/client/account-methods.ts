import { Envelope } from '../../schemas/interface/answer.js'
import { endpointOf } from '../../schemas/interface/reads.js'
import {
  type AccountActionName,
  type AccountKey,
  accountKeys,
  accountRows,
} from '../../schemas/interface/writes.js'
import type { Answers } from './generated/interface.js'
import type { NonceSource } from './nonce-source.js'
import type { HttpMethod, RestClient } from './rest-client.js'
import { type AccountTerms, type SigningContext, signAction } from './signed-actions.js'

/** What signed writes are sent with: a client is such. */
export interface ActionSender {
  readonly rest: RestClient
  readonly context: SigningContext
  readonly nextNonce: NonceSource
}

type AnswerOf<Key extends keyof Answers> = Answers[Key] extends {
  readonly success: true
  readonly data: infer Data
  readonly error: null
}
  ? Data
  : Answers[Key]

/** A method of the client for each signed write of the account, under the name of its action. */
export type AccountMethods = {
  readonly [Name in AccountActionName as Uncapitalize<Name>]: (
    ...terms: object extends AccountTerms<Name>
      ? [terms?: AccountTerms<Name>]
      : [terms: AccountTerms<Name>]
  ) => Promise<AnswerOf<AccountKey<Name>>>
}

/** Returns the methods. */
export function accountMethods({ rest, context, nextNonce }: ActionSender): AccountMethods {
  const methods = Object.entries(accountKeys).map(([name, key]) => {
    const [method, path] = endpointOf(key) as [HttpMethod, string]
    const { envelope } = accountRows[name as AccountActionName].answer
    const act = async (terms: object = {}) => {
      const body = signAction(context, name as AccountActionName, terms as never, nextNonce())
      const answer = await rest.request<{ readonly data: unknown }>(method, path, { body })
      return envelope === Envelope.Data ? answer.data : answer
    }
    return [name.charAt(0).toLowerCase() + name.slice(1), act] as const
  })
  return Object.fromEntries(methods) as unknown as AccountMethods
}
