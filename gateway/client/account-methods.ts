import { Envelope } from '../../schemas/interface/answer.js'
import {
  type AccountActionName,
  type AccountActions,
  accountActions,
} from '../actions/account-actions.js'
import type { Action } from '../actions/action.js'
import type { NonceSource } from './nonce-source.js'
import type { RestClient } from './rest-client.js'
import { type AccountTerms, type SigningContext, signAction } from './signed-actions.js'

/** What signed writes are sent with: a client is such. */
export interface ActionSender {
  readonly rest: RestClient
  readonly context: SigningContext
  readonly nextNonce: NonceSource
}

type AccountAnswerOf<Name extends AccountActionName> =
  AccountActions[Name] extends Action<infer _, infer Answer> ? Answer : never

/** The client's method for each signed write of the account, named after the struct that it signs. */
export type AccountMethods = {
  readonly [Name in AccountActionName as Uncapitalize<Name>]: (
    ...terms: object extends AccountTerms<Name>
      ? [terms?: AccountTerms<Name>]
      : [terms: AccountTerms<Name>]
  ) => Promise<AccountAnswerOf<Name>>
}

/** Makes the methods. */
export function accountMethods({ rest, context, nextNonce }: ActionSender): AccountMethods {
  const methods = Object.entries<Action>(accountActions).map(([name, { endpoint, envelope }]) => {
    const [method, path] = endpoint
    const act = async (terms: object = {}) => {
      const body = signAction(context, name as AccountActionName, terms as never, nextNonce())
      const answer = await rest.request<{ readonly data: unknown }>(method, path, { body })
      return envelope === Envelope.Data ? answer.data : answer
    }
    return [name.charAt(0).toLowerCase() + name.slice(1), act] as const
  })
  return Object.fromEntries(methods) as unknown as AccountMethods
}
