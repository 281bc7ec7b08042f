import { endpointOf } from '../../schemas/interface/paths.js'
import type { AccountActionName, AccountKey } from '../../schemas/interface/writes.js'
import { type Answers, type SignedWrite, signedWrites } from './generated/interface.js'
import type { NonceSource } from './nonce-source.js'
import type { HttpMethod, RestClient } from './rest-client.js'
import { type AccountTerms, type SigningContext, signAction } from './signed-actions.js'

/** Parts of a client that send signed writes. */
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

/** One method of the client per account action, named after the action. */
export type AccountMethods = {
  readonly [Name in AccountActionName as Uncapitalize<Name>]: (
    ...terms: object extends AccountTerms<Name>
      ? [terms?: AccountTerms<Name>]
      : [terms: AccountTerms<Name>]
  ) => Promise<AnswerOf<AccountKey<Name>>>
}

/** Builds the account methods. */
export function accountMethods({ rest, context, nextNonce }: ActionSender): AccountMethods {
  const writes = Object.entries<SignedWrite>(signedWrites).filter(
    ([key, { action }]) => action !== null && key.includes(' '),
  )
  const methods = writes.map(([key, { action, hasData }]) => {
    const [method, path] = endpointOf(key) as [HttpMethod, string]
    const name = action as AccountActionName
    const act = async (terms: object = {}) => {
      const body = signAction(context, name, terms as never, nextNonce())
      const answer = await rest.request<{ readonly data: unknown }>(method, path, { body })
      return hasData ? answer.data : answer
    }
    return [name.charAt(0).toLowerCase() + name.slice(1), act] as const
  })
  return Object.fromEntries(methods) as unknown as AccountMethods
}
