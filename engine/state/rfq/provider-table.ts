import { assert } from '../../../schemas/assert.js'
import { ProviderStatus } from '../../../schemas/domain.js'
import { addressBytes, formatAddress, writeAddress } from '../../../schemas/wallet.js'
import type { Saved, StateReader, StateSink } from '../../memory/state-codec.js'
import { HashCell, HashKind, type StateHash } from '../../memory/state-hash.js'

const signerBytes = new Uint8Array(addressBytes)

/** An open connection of a provider: its gateway, and that gateway's number for it. */
export interface ProviderSession {
  readonly gateway: number
  readonly session: number
  /** Wallet or agent that opened it: `0x` and 40 hex digits in lower case. */
  readonly signer: string
}

/** @returns true if both are the same connection. */
export function isSession(
  { gateway, session }: Pick<ProviderSession, 'gateway' | 'session'>,
  other: Pick<ProviderSession, 'gateway' | 'session'>,
): boolean {
  return gateway === other.gateway && session === other.session
}

/** A wallet that is or was a quote provider. */
export class Provider implements Saved {
  readonly account: number
  status: ProviderStatus = ProviderStatus.Suspended
  /** Open sessions, oldest first. */
  readonly sessions: ProviderSession[] = []
  readonly cell = new HashCell(HashKind.Provider, this)

  constructor(account: number) {
    this.account = account
  }

  /** True if requests reach it. */
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

/** Quote providers named by the operator, and their sessions. Their indicative quotes are not state. */
export class ProviderTable {
  /** By account, in order of insertion. */
  readonly #rows = new Map<number, Provider>()
  readonly #hash: StateHash

  constructor(hash: StateHash) {
    this.#hash = hash
  }

  get rows(): Iterable<Provider> {
    return this.#rows.values()
  }

  /** @returns null if the operator has not named the account. */
  find(account: number): Provider | null {
    return this.#rows.get(account) ?? null
  }

  /**
   * Sets the operator's status of a provider, and adds a new one.
   * @returns its row.
   */
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

  /** Ends an open session. */
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
