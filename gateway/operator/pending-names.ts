import { operatorRows, type PendingName } from '../../schemas/interface/operator.js'
import { type Answer, wholeAnswer } from '../wire/answers.js'
import type { NameEntry } from '../wire/name-entry.js'
import { QueryReader } from '../wire/query-reader.js'
import { route } from '../wire/route.js'

const row = operatorRows['GET /operator/usernames']

/** Usernames that wait for the operator's verdict, longest wait first, as the read model reports them. */
export class PendingNames {
  readonly #byWallet = new Map<string, NameEntry>()

  readonly take = (name: NameEntry): void => {
    // A new request goes to the end of the queue.
    this.#byWallet.delete(name.wallet)
    if (name.pending !== '') this.#byWallet.set(name.wallet, name)
  }

  /** Answers GET /operator/usernames. @param query Text without the question mark. */
  readonly answer = (query: string): Answer => read.answer(new QueryReader(query, true), this)

  /**
   * @param wallet Null: all wallets.
   */
  rowsOf(wallet: string | null): readonly PendingName[] {
    return [...this.#byWallet.values()]
      .filter((name) => wallet === null || name.wallet === wallet)
      .map((name) => ({
        wallet: name.wallet,
        requested_username: name.pending,
        username: name.username || null,
      }))
  }
}

const read = route(row, ({ wallet, limit, offset }, names: PendingNames) => {
  const all = names.rowsOf(wallet)
  const data = all.slice(offset, offset + limit)
  const pagination = { limit, offset, count: data.length, total: all.length }
  return wholeAnswer({ ok: true, data, pagination })
})
