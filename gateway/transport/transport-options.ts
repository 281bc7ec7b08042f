import type { ClientAddresses } from './client-address.js'
import type { ConnectionLedger } from './connection-ledger.js'

/** Where a server stands, and how it is spoken to. */
export interface TransportOptions {
  /** Of `X-Forwarded-For`; nobody is believed unless it says so. */
  readonly clients?: ClientAddresses
  /** PEM files of certificate (with its chain) and key; without them the server speaks plain text. */
  readonly tls?: TlsFiles | null
  /** What is counted of connections and bodies; without it they are unbounded. */
  readonly ledger?: ConnectionLedger
}

interface TlsFiles {
  readonly certFile: string
  readonly keyFile: string
}
