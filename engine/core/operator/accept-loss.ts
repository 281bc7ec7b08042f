import { assert } from '../../../schemas/assert.js'
import { burnEntriesMax, underlyingsMax } from '../../../schemas/bounds.js'
import { HaltMode } from '../../../schemas/domain.js'
import {
  AcceptLossCommand,
  type AnyCommand,
  BurnNoncesCommand,
  CommandType,
  SetHaltCommand,
} from '../../../schemas/generated/commands.js'
import { Signer } from '../../../schemas/record-values.js'
import { Result } from '../../../schemas/results.js'
import { addressBytes, writeAddress } from '../../../schemas/wallet.js'
import type { LossBorder, LostNonce } from '../../journal/journal-loss.js'
import type { Ring } from '../../memory/ring.js'
import { nobody } from '../../publish/publish-orders.js'
import type { SettlementTable } from '../../state/market/settlement-table.js'
import { type AnnouncedState, accountFor, haltEach, underlyingFor } from '../steps/announced.js'

interface AcceptLossState extends AnnouncedState {
  burnNoncesUpTo(account: number, signer: Signer, high: number, low: number): void
  orderCount: number
  tradeCount: number
  readonly settlements: SettlementTable
}

const loss = new AcceptLossCommand()
const burn = new BurnNoncesCommand()
const venueHalt = new SetHaltCommand()

/** Appends the command to the shell's ring; the next batch begins with it. */
export function putAcceptLoss(
  shell: Ring,
  border: LossBorder,
  underlyings: readonly string[],
): void {
  const names = underlyings.slice(0, underlyingsMax)
  const isClaimed = loss.claim(shell, AcceptLossCommand.bytesWith(names.length))
  assert(isClaimed, 'shell ring: empty before the first command')
  beginShellCommand(loss)
  Object.assign(loss, border)
  loss.underlyingCount = names.length
  for (const [i, name] of names.entries()) loss.underlyings(i).nameText = name
  shell.commit()
}

/** Appends the halt of everything that is or will be listed. It holds until the operator ends it. */
export function putVenueHalt(shell: Ring): void {
  assert(venueHalt.claim(shell), 'shell ring: room after the first command')
  beginShellCommand(venueHalt)
  venueHalt.mode = HaltMode.Halted
  venueHalt.stands = 1
  shell.commit()
}

/** Appends as many nonces to burn as fit into the shell's ring. */
export function putBurnNonces(shell: Ring, nonces: readonly LostNonce[]): void {
  for (let first = 0; first < nonces.length; first += burnEntriesMax) {
    const entries = nonces.slice(first, first + burnEntriesMax)
    if (!burn.claim(shell, BurnNoncesCommand.bytesWith(entries.length))) return
    beginShellCommand(burn)
    burn.count = entries.length
    for (const [i, { wallet, signer, high, low }] of entries.entries()) {
      const entry = burn.entries(i)
      writeAddress(wallet, entry.u8, entry.walletAt)
      entry.signer = signer
      entry.nonceHigh = high
      entry.nonceLow = low
    }
    shell.commit()
  }
}

/** Clears a new command that has no requester: nobody gets its answer. */
export function beginShellCommand(command: { clear(): unknown; gateway: number }): void {
  command.clear()
  command.gateway = nobody
}

/** Returns true if the nonce and all below it are burned already. */
export function isBurned(
  state: AcceptLossState,
  { wallet, signer, high, low }: LostNonce,
): boolean {
  const address = new Uint8Array(addressBytes)
  writeAddress(wallet, address, 0)
  const account = state.accounts.find(address, 0)
  if (account < 0) return false
  const { nonces, agentNonces } = state.accounts
  const window = signer === Signer.Agent ? agentNonces[account] : nonces[account]
  return window?.isBurnedUpTo(high, low) ?? false
}

/**
 * Burns the nonces of actions that executed in the lost batches. A wallet whose first deposit was lost gets its account
 * again, because the nonces need an account.
 */
export function burnLost(state: AcceptLossState, command: AnyCommand): Result {
  const { count } = burn.of(command)
  for (let i = 0; i < count; i++) {
    const { u8, walletAt, signer, nonceHigh, nonceLow } = burn.entries(i)
    state.burnNoncesUpTo(accountFor(state, u8, walletAt), signer, nonceHigh, nonceLow)
  }
  return Result.Accepted
}

/** Returns the point of the loss if the first command of a batch records one, otherwise null. */
export function lossBorderOf(command: AnyCommand): LossBorder | null {
  if (command.recordType !== CommandType.AcceptLoss) return null
  const { batchNumber, seq, timeMillis } = loss.of(command)
  const { orderCount, tradeCount, payoutCount, auctionCount } = loss
  return { batchNumber, seq, timeMillis, orderCount, tradeCount, payoutCount, auctionCount }
}

/** Advances all serial numbers beyond the lost ones, so that none is assigned twice. */
export function passLost(state: AcceptLossState, border: LossBorder): void {
  state.sink.seq = Math.max(state.sink.seq, border.seq)
  state.orderCount = Math.max(state.orderCount, border.orderCount)
  state.tradeCount = Math.max(state.tradeCount, border.tradeCount)
  state.settlements.passPayouts(border.payoutCount)
  state.liquidations.passAuctions(border.auctionCount)
}

/** Halts everything, including underlyings that are listed again, until the operator has checked the venue. */
export function haltAll(state: AcceptLossState, command: AnyCommand): Result {
  const { underlyingCount } = loss.of(command)
  for (let i = 0; i < underlyingCount; i++) underlyingFor(state, loss.underlyings(i).nameText)
  haltEach(state, HaltMode.Halted)
  return Result.Accepted
}
