import { allocateConnectionCounts } from './address-limits.js'
import { allocateRateWindows } from './rate-windows.js'
import { allocateSocketCounts } from './socket-counts.js'

/** Counters that all gateway threads of a process share. */
export interface LimitMemory {
  /** Windows of wallets: signed writes and stream commands. */
  readonly windows: SharedArrayBuffer
  /** Windows of client address and wallet: reads that name a wallet. */
  readonly reads: SharedArrayBuffer
  /** Windows of client addresses: wasted signature recoveries. */
  readonly failures: SharedArrayBuffer
  /** Windows of client addresses, and of address and wallet: recoveries after the failures are used up. */
  readonly recoveries: SharedArrayBuffer
  /** Windows of wallets and of client addresses: grants of the faucet. */
  readonly grants: SharedArrayBuffer
  /** Windows of client addresses, and of wallets: messages that resumes sent again. */
  readonly resumes: SharedArrayBuffer
  /** WebSockets and requests under way per client address. */
  readonly connections: SharedArrayBuffer
  /** Connections of every kind, and bytes of unfinished bodies. */
  readonly sockets: SharedArrayBuffer
}

// Wallets, pairs and addresses that are active within one minute; 64 bytes each.
const walletSlots = 1 << 17
const readSlots = 1 << 17
const addressSlots = 1 << 15
// Addresses over their budget, and their wallets, within one second.
const recoverySlots = 1 << 12
// Wallets and addresses with a grant within one minute. When the table is full, only the engine finds a second grant.
const grantSlots = 1 << 12
// Addresses and wallets that resume within one minute.
const resumeSlots = 1 << 12

export function allocateLimitMemory(): LimitMemory {
  return {
    windows: allocateRateWindows(walletSlots),
    reads: allocateRateWindows(readSlots),
    failures: allocateRateWindows(addressSlots),
    recoveries: allocateRateWindows(recoverySlots),
    grants: allocateRateWindows(grantSlots),
    resumes: allocateRateWindows(resumeSlots),
    connections: allocateConnectionCounts(),
    sockets: allocateSocketCounts(),
  }
}
