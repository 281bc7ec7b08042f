import { assert } from '../../../schemas/assert.js'
import { ProviderStatus } from '../../../schemas/domain.js'
import { addressBytes, formatAddress, writeAddress } from '../../../schemas/wallet.js'
import type { Saved, StateReader, StateSink } from '../../memory/state-codec.js'
import { HashCell, HashKind, type StateHash } from '../../memory/state-hash.js'

const signerBytes = new Uint8Array(addressBytes)

/** An open connection of a provider: the gateway that has it, and that gateway's number of it. */
export interface ProviderSession {
  readonly gateway: number
  readonly session: number
  /** Who opened it, the wallet or its agent: `0x` and 40 hex digits in lower case. */
  readonly signer: string
}

/** @returns whether both are the same connection. */
export function isSession(
  { gateway, session }: Pick<ProviderSession, 'gateway' | 'session'>,
  other: Pick<ProviderSession, 'gateway' | 'session'>,
): boolean {
  return gateway === other.gateway && session === other.session
}

/** A wallet that may quote, or might once. */
export class Provider implements Saved {
  readonly account: number
  status: ProviderStatus = ProviderStatus.Suspended
  /** Those that are open, the oldest first. */
  readonly sessions: ProviderSession[] = []
  readonly cell = new HashCell(HashKind.Provider, this)

  constructor(account: number) {
    this.account = account
  }

  /** Whether requests reach it. */
  get isConnected(): boolean {
    return this.sessions.length > 0
  }

  save(sink: StateSink): void {
    sink.i32(this.account)
    sink.i32(this.status)
    sink.i32(this.sessions.length)
    for (const { gateway, session, signer } of this.sessions) {
      sink.i32(gateway)
      sink.i32(session)
      writeAddress(signer, signerBytes, 0)
      sink.bytes(signerBytes)
    }
  }
}

/** The quote providers that the operator has named, and their sessions. Their indicative quotes are no state. */
export class ProviderTable {
  /** By account, in the order in which they were named. */
  readonly #rows = new Map<number, Provider>()
  readonly #hash: StateHash

  constructor(hash: StateHash) {
    this.#hash = hash
  }

  get rows(): Iterable<Provider> {
    return this.#rows.values()
  }

  /** @returns null where the operator has not named the account. */
  find(account: number): Provider | null {
    return this.#rows.get(account) ?? null
  }

  /** The operator's word, which names a provider that is new. @returns its row. */
  setStatus(account: number, status: ProviderStatus): Provider {
    assert(account >= 0, 'providers: the account index is valid')
    let row = this.#rows.get(account)
    if (row === undefined) {
      row = new Provider(account)
      this.#rows.set(account, row)
    }
    row.status = status
    this.#hash.note(row.cell)
    return row
  }

  connect(row: Provider, session: ProviderSession): void {
    assert(!row.sessions.some((open) => isSession(open, session)), 'providers: the session is new')
    row.sessions.push(session)
    this.#hash.note(row.cell)
  }

  /** Ends a session that is open. */
  leave(row: Provider, session: ProviderSession): void {
    const place = row.sessions.indexOf(session)
    assert(place >= 0, 'providers: the session exists')
    row.sessions.splice(place, 1)
    this.#hash.note(row.cell)
  }

  save(sink: StateSink): void {
    sink.i32(this.#rows.size)
    for (const row of this.#rows.values()) row.save(sink)
  }

  load(reader: StateReader): void {
    for (let i = reader.i32(); i > 0; i--) {
      const account = reader.i32()
      const row = this.setStatus(account, reader.i32() as ProviderStatus)
      for (let count = reader.i32(); count > 0; count--) {
        const [gateway, session] = [reader.i32(), reader.i32()]
        this.connect(row, { gateway, session, signer: formatAddress(reader.bytes(20), 0) })
      }
    }
  }
}
