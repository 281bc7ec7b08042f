import type Database from 'libsql'
import type { OutcomeEvent } from '../../../schemas/generated/events.js'
import { addressBytes, formatAddress } from '../../../schemas/wallet.js'
import { nonces } from './nonce-tables.js'
import { PackedReader, PackedWriter, type StoredBytes } from './packed-bytes.js'
import { insertSql } from './table.js'

// Nearly every wallet uses a nonce in each transaction under load, and who asks for the highest comes after a loss. So a
// transaction appends its nonces, packed, and the table of the highest takes them up many transactions at a time.

/** What the log has at most before the table takes it up. */
const entriesMax = 65_536
const transactionsMax = 4096
const entryBytesMax = addressBytes + 4 * 8

export const nonceLogSql =
  'create table if not exists nonce_log (number integer primary key, nonces blob not null);'

interface Left {
  readonly left: number
}

interface Highest {
  readonly wallet: string
  readonly signer: number
  high: number
  low: number
  lastSeq: number
}

/** Takes in nonces within transactions of the store. */
export class NonceLog {
  readonly #append
  readonly #all
  readonly #clear
  readonly #put
  readonly #out = new PackedWriter(4096)
  #entries = 0
  #transactions: number

  constructor(database: Database.Database) {
    this.#append = database.prepare('insert into nonce_log (nonces) values (?)')
    this.#all = database.prepare('select nonces from nonce_log order by number')
    this.#clear = database.prepare('delete from nonce_log')
    this.#put = database.prepare(insertSql(nonces, 1))
    const { left } = database.prepare('select count(*) as left from nonce_log').get() as Left
    this.#transactions = left
  }

  /** @param seq not below the outcome's own. */
  add(outcome: OutcomeEvent, seq: number): void {
    const { facts, signer, nonceHigh, nonceLow } = outcome
    const out = this.#out
    out.put(facts.u8.subarray(facts.walletAt, facts.walletAt + addressBytes))
    out.reserve(entryBytesMax)
    out.count(signer)
    out.count(nonceHigh >>> 0)
    out.count(nonceLow >>> 0)
    out.count(seq)
    this.#entries++
  }

  flush(): void {
    if (this.#out.end === 0) return
    this.#append.run([this.#out.written()])
    this.#out.end = 0
    this.#transactions++
    if (this.#entries >= entriesMax || this.#transactions >= transactionsMax) this.takeUp()
  }

  /** The table has all of the log afterwards. */
  takeUp(): void {
    const highest = new Map<string, Highest>()
    for (const { nonces: packed } of this.#all.all() as { nonces: StoredBytes }[]) {
      const reader = new PackedReader(packed)
      while (!reader.isAtEnd) note(highest, entryOf(reader))
    }
    for (const { wallet, signer, high, low, lastSeq } of highest.values()) {
      this.#put.run(wallet, signer, high, low, lastSeq)
    }
    this.#clear.run()
    this.#entries = 0
    this.#transactions = 0
  }
}

function entryOf(reader: PackedReader): Highest {
  const wallet = formatAddress(reader.bytes, reader.at)
  reader.at += addressBytes
  const [signer, high, low, lastSeq] = [
    reader.count(),
    reader.count(),
    reader.count(),
    reader.count(),
  ]
  return { wallet, signer, high, low, lastSeq }
}

function note(highest: Map<string, Highest>, entry: Highest): void {
  const key = `${entry.wallet} ${entry.signer}`
  const known = highest.get(key)
  if (known === undefined) {
    highest.set(key, entry)
    return
  }
  known.lastSeq = entry.lastSeq
  const isHigher = entry.high > known.high || (entry.high === known.high && entry.low > known.low)
  if (!isHigher) return
  known.high = entry.high
  known.low = entry.low
}
