import { operatorRows, type PendingName } from '../../schemas/interface/operator.js'
import { type Answer, wholeAnswer } from '../wire/answers.js'
import type { NameTold } from '../wire/name-told.js'
import { QueryReader } from '../wire/query-reader.js'
import { route } from '../wire/route.js'

const row = operatorRows['GET /operator/usernames']

/** Names that wait for the operator's word, the longest wait first, as the read model tells of them. */
export class PendingNames {
  readonly #byWallet = new Map<string, NameTold>()

  readonly take = (told: NameTold): void => {
    // Who asks for another one waits anew.
    this.#byWallet.delete(told.wallet)
    if (told.pending !== '') this.#byWallet.set(told.wallet, told)
  }

  /** GET /operator/usernames. @param query text, without the question mark. */
  readonly answer = (query: string): Answer => read.answer(new QueryReader(query, true), this)

  /** @param wallet null: of all. */
  rowsOf(wallet: string | null): readonly PendingName[] {
    return [...this.#byWallet.values()]
      .filter((told) => wallet === null || told.wallet === wallet)
      .map((told) => ({
        wallet: told.wallet,
        requested_username: told.pending,
        username: told.username || null,
      }))
  }
}

const read = route(row, ({ wallet, limit, offset }, names: PendingNames) => {
  const all = names.rowsOf(wallet)
  const data = all.slice(offset, offset + limit)
  const pagination = { limit, offset, count: data.length, total: all.length }
  return wholeAnswer({ ok: true, data, pagination })
})
