import { assert } from '../../schemas/assert.js'
import { underlyingBytesMax, underlyingsMax } from '../../schemas/bounds.js'
import {
  burnCountAt,
  burnEntriesAt,
  burnEntriesMax,
  burnEntryBytes,
  burnEntryNonceHighAt,
  burnEntryNonceLowAt,
  burnEntrySignerAt,
  burnEntryWalletAt,
  commandGatewayAt,
  haltModeAt,
  haltStandsAt,
  lossAuctionCountAt,
  lossBatchNumberAt,
  lossOrderCountAt,
  lossPayoutCountAt,
  lossSeqAt,
  lossTimeMillisAt,
  lossTradeCountAt,
  lossUnderlyingCountAt,
  lossUnderlyingsAt,
  setHaltBytes,
} from '../../schemas/commands.js'
import { HaltMode } from '../../schemas/domain.js'
import { CommandType } from '../../schemas/generated/commands.js'
import { Signer } from '../../schemas/record-values.js'
import type { RecordViews } from '../../schemas/record-views.js'
import { Result } from '../../schemas/results.js'
import { addressBytes, writeAddress } from '../../schemas/wallet.js'
import type { LossBorder, LostNonce } from '../journal/journal-loss.js'
import { readText, writeText } from '../memory/bytes.js'
import { recordPayloadAt, recordTypeAt } from '../memory/layout.js'
import type { Ring } from '../memory/ring.js'
import { nobody } from '../publish/publish-orders.js'
import type { CoreState } from '../state/core-state.js'
import { accountFor, underlyingFor } from './announced.js'
import { haltEach } from './decide-market.js'

const valuesAt = {
  batchNumber: lossBatchNumberAt,
  seq: lossSeqAt,
  timeMillis: lossTimeMillisAt,
  orderCount: lossOrderCountAt,
  tradeCount: lossTradeCountAt,
  payoutCount: lossPayoutCountAt,
  auctionCount: lossAuctionCountAt,
} as const satisfies Record<keyof LossBorder, number>

/** Puts the command into the shell's ring: the next batch begins with it. */
export function putAcceptLoss(
  shell: Ring,
  border: LossBorder,
  underlyings: readonly string[],
): void {
  const names = underlyings.slice(0, underlyingsMax)
  const bytes = lossUnderlyingsAt + names.length * underlyingBytesMax
  const at = claim(shell, bytes, CommandType.AcceptLoss)
  assert(at >= 0, 'shell ring: empty before the first command')
  for (const [name, place] of Object.entries(valuesAt)) {
    shell.f64[(at + place) >> 3] = border[name as keyof LossBorder]
  }
  shell.i32[(at + lossUnderlyingCountAt) >> 2] = names.length
  for (const [i, name] of names.entries()) {
    writeText(name, shell.u8, at + lossUnderlyingsAt + i * underlyingBytesMax, underlyingBytesMax)
  }
  shell.commit()
}

/** Puts the halt of everything that is listed, or will be, until the operator ends it. */
export function putVenueHalt(shell: Ring): void {
  const at = claim(shell, setHaltBytes, CommandType.SetHalt)
  assert(at >= 0, 'shell ring: room behind the first command')
  shell.i32[(at + haltModeAt) >> 2] = HaltMode.Halted
  shell.i32[(at + haltStandsAt) >> 2] = 1
  shell.commit()
}

/** Puts as many nonces to burn as the shell's ring takes. */
export function putBurnNonces(shell: Ring, nonces: readonly LostNonce[]): void {
  for (let first = 0; first < nonces.length; first += burnEntriesMax) {
    const entries = nonces.slice(first, first + burnEntriesMax)
    const bytes = burnEntriesAt + entries.length * burnEntryBytes
    const at = claim(shell, bytes, CommandType.BurnNonces)
    if (at < 0) return
    shell.i32[(at + burnCountAt) >> 2] = entries.length
    for (const [i, { wallet, signer, high, low }] of entries.entries()) {
      const entry = at + burnEntriesAt + i * burnEntryBytes
      writeAddress(wallet, shell.u8, entry + burnEntryWalletAt)
      shell.i32[(entry + burnEntrySignerAt) >> 2] = signer
      shell.i32[(entry + burnEntryNonceHighAt) >> 2] = high
      shell.i32[(entry + burnEntryNonceLowAt) >> 2] = low
    }
    shell.commit()
  }
}

/** Room for a command that no gateway asked for, zeroed; below 0 when there is none. */
export function claim(shell: Ring, bytes: number, type: CommandType): number {
  const at = shell.tryClaim(bytes, type)
  if (at < 0) return at
  shell.u8.fill(0, at + recordPayloadAt, at + bytes)
  shell.i32[(at + commandGatewayAt) >> 2] = nobody
  return at
}

/** Whether the nonce and all below it are burned already. */
export function isBurned(state: CoreState, { wallet, signer, high, low }: LostNonce): boolean {
  const address = new Uint8Array(addressBytes)
  writeAddress(wallet, address, 0)
  const account = state.accounts.find(address, 0)
  if (account < 0) return false
  const { nonces, agentNonces } = state.accounts
  const window = signer === Signer.Agent ? agentNonces[account] : nonces[account]
  return window?.isBurnedUpTo(high, low) ?? false
}

/**
 * What was signed with one of these nonces has run once, in batches that are lost. A wallet whose deposit is among
 * those has its account again, or nothing would remember them.
 */
export function burnLost(state: CoreState, views: RecordViews, at: number): Result {
  const count = views.i32[(at + burnCountAt) >> 2]
  for (let i = 0; i < count; i++) {
    const entry = at + burnEntriesAt + i * burnEntryBytes
    const account = accountFor(state, views.u8, entry + burnEntryWalletAt)
    const signer = views.i32[(entry + burnEntrySignerAt) >> 2] as Signer
    const high = views.i32[(entry + burnEntryNonceHighAt) >> 2]
    state.burnNoncesUpTo(account, signer, high, views.i32[(entry + burnEntryNonceLowAt) >> 2])
  }
  return Result.Accepted
}

/** The border in the first of a batch's commands; null when that is another command. */
export function lossBorderAt(views: RecordViews, at: number): LossBorder | null {
  if (views.i32[(at + recordTypeAt) >> 2] !== CommandType.AcceptLoss) return null
  const values = Object.entries(valuesAt).map(([name, place]) => [
    name,
    views.f64[(at + place) >> 3],
  ])
  return Object.fromEntries(values) as LossBorder
}

/** Everything that gets a number from here on gets one that nobody has seen. */
export function passLost(state: CoreState, border: LossBorder): void {
  state.sink.seq = Math.max(state.sink.seq, border.seq)
  state.orderCount = Math.max(state.orderCount, border.orderCount)
  state.tradeCount = Math.max(state.tradeCount, border.tradeCount)
  state.settlements.passPayouts(border.payoutCount)
  state.liquidations.passAuctions(border.auctionCount)
}

/** Nobody trades before the operator has looked, not even in what is listed anew. */
export function haltAll(state: CoreState, views: RecordViews, at: number): Result {
  const count = views.i32[(at + lossUnderlyingCountAt) >> 2]
  for (let i = 0; i < count; i++) {
    const name = readText(
      views.u8,
      at + lossUnderlyingsAt + i * underlyingBytesMax,
      underlyingBytesMax,
    )
    underlyingFor(state, name)
  }
  haltEach(state, HaltMode.Halted)
  return Result.Accepted
}
