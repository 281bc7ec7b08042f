import type { OutcomeEvent } from '../../../schemas/generated/events.js'
import { formatAddress } from '../../../schemas/wallet.js'
import type { HistoryDatabase } from './history-schema.js'
import { nonces } from './nonce-tables.js'
import { insertSql } from './table.js'

// Under load each transaction has a nonce of nearly every wallet, but only recovery from an accepted data loss reads
// the highest ones. So a transaction appends its nonces as one row, and the table absorbs many transactions at once.

/** Limits at which the table absorbs the log. */
const entriesMax = 65_536
const transactionsMax = 4096

/** A row is JSON: wallet, signer, both halves of the nonce, and sequence of each entry. */
export const nonceLogSql =
  'create table if not exists nonce_log (number integer primary key, nonces text not null);'

type Entry = readonly [wallet: string, signer: number, high: number, low: number, lastSeq: number]

interface Count {
  readonly count: number
}

interface Highest {
  readonly wallet: string
  readonly signer: number
  high: number
  low: number
  lastSeq: number
}

/** Log of used nonces, written within transactions of the store. */
export class NonceLog {
  readonly #append
  readonly #all
  readonly #clear
  readonly #put
  #nonces: Entry[] = []
  #entries = 0
  #transactions: number

  constructor(database: HistoryDatabase) {
    this.#append = database.prepare('insert into nonce_log (nonces) values (?)')
    this.#all = database.prepare('select nonces from nonce_log order by number')
    this.#clear = database.prepare('delete from nonce_log')
    this.#put = database.prepare(insertSql(nonces, 1))
    const { count } = database.prepare('select count(*) as count from nonce_log').get() as Count
    this.#transactions = count
  }

  /** @param seq sequence to store, at or after that of the acknowledgement. */
  add(outcome: OutcomeEvent, seq: number): void {
    const { facts, signer, nonceHigh, nonceLow } = outcome
    const wallet = formatAddress(facts.u8, facts.walletAt)
    this.#nonces.push([wallet, signer, nonceHigh >>> 0, nonceLow >>> 0, seq])
    this.#entries++
  }

  flush(): void {
    if (this.#nonces.length === 0) return
    this.#append.run([JSON.stringify(this.#nonces)])
    this.#nonces = []
    this.#transactions++
    if (this.#entries >= entriesMax || this.#transactions >= transactionsMax) this.absorb()
  }

  /** Moves the whole log into the table. */
  absorb(): void {
    const highest = new Map<string, Highest>()
    for (const { nonces: text } of this.#all.all() as { nonces: string }[]) {
      for (const entry of JSON.parse(text) as Entry[]) note(highest, entry)
    }
    for (const { wallet, signer, high, low, lastSeq } of highest.values()) {
      this.#put.run(wallet, signer, high, low, lastSeq)
    }
    this.#clear.run()
    this.#entries = 0
    this.#transactions = 0
  }
}

function note(highest: Map<string, Highest>, [wallet, signer, high, low, lastSeq]: Entry): void {
  const key = `${wallet} ${signer}`
  const known = highest.get(key)
  if (known === undefined) {
    highest.set(key, { wallet, signer, high, low, lastSeq })
    return
  }
  known.lastSeq = lastSeq
  if (high < known.high || (high === known.high && low <= known.low)) return
  known.high = high
  known.low = low
}
