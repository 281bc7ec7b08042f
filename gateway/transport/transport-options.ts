import type { ClientAddresses } from './client-address.js'
import type { ConnectionLedger } from './connection-ledger.js'

/** Addresses, encryption and limits of a server. */
export interface TransportOptions {
  /** Reads `X-Forwarded-For`; trusts no proxy by default. */
  readonly clients?: ClientAddresses
  /** PEM files of certificate (with its chain) and key; without them the server speaks plain text. */
  readonly tls?: TlsFiles | null
  /** Counts connections and bodies; without it they are unlimited. */
  readonly ledger?: ConnectionLedger
}

interface TlsFiles {
  readonly certFile: string
  readonly keyFile: string
}
