import { assert } from '../../../schemas/assert.js'
import { apiWalletNameBytes } from '../../../schemas/bounds.js'
import {
  type AnyCommand,
  SetAbstractionCommand,
  UpdateApiWalletCommand,
} from '../../../schemas/generated/commands.js'
import { walletAtOf } from '../../../schemas/record-rules/commands.js'
import { AgentChange } from '../../../schemas/record-values.js'
import { Result } from '../../../schemas/results.js'
import { addressBytes, isZeroAddress } from '../../../schemas/wallet.js'
import { areBytesEqual } from '../../memory/bytes.js'
import { type PublishMarketState, publishApiWallet } from '../../publish/publish-market.js'
import type { ApiWallet, ApiWallets } from '../../state/accounts/api-wallets.js'

interface DecideApiWalletsState extends PublishMarketState {
  readonly apiWallets: ApiWallets
}

/** The only abstraction that a wallet may select. */
const abstractionOffered = 2

const update = new UpdateApiWalletCommand()
const abstraction = new SetAbstractionCommand()

/**
 * Guards of an UpdateApiWallet that the wallet signed. It fails if the API wallet equals the wallet, or if a new name
 * exceeds the account's number. Removing an unknown name, and setting the same key again, succeed without effect.
 */
export function checkApiWallet(
  state: DecideApiWalletsState,
  account: number,
  command: AnyCommand,
): Result {
  const { apiWalletAt, nameAt, u8 } = update.of(command)
  if (areBytesEqual(u8, apiWalletAt, u8, walletAtOf(command), addressBytes)) {
    return Result.ValueRefused
  }
  if (isZeroAddress(u8, apiWalletAt)) return Result.Accepted
  const { apiWallets } = state
  const isFree = apiWallets.named(account, u8, nameAt) === null
  return isFree && !apiWallets.hasRoom(account) ? Result.LimitExceeded : Result.Accepted
}

/** Executes an accepted UpdateApiWallet. A name that has a key gets the new key instead. */
export function applyApiWallet(
  state: DecideApiWalletsState,
  account: number,
  command: AnyCommand,
): void {
  const { apiWalletAt, nameAt, u8 } = update.of(command)
  const { apiWallets } = state
  const previous = apiWallets.named(account, u8, nameAt)
  const isKnown = previous !== null && isAddress(previous, u8, apiWalletAt)
  if (isKnown) return
  if (previous !== null) removeApiWallet(state, account, previous)
  if (isZeroAddress(u8, apiWalletAt)) return
  const name = u8.slice(nameAt, nameAt + apiWalletNameBytes)
  const wallet = { name, address: u8.slice(apiWalletAt, apiWalletAt + addressBytes) }
  apiWallets.add(account, wallet)
  publishApiWallet(state, account, AgentChange.Approved, wallet)
}

/** Removes the address at `source[at]` from the API wallets of the account, under every name. */
export function revokeApiWallets(
  state: DecideApiWalletsState,
  account: number,
  source: Uint8Array,
  at: number,
): void {
  for (const wallet of state.apiWallets.of(account)) {
    if (isAddress(wallet, source, at)) removeApiWallet(state, account, wallet)
  }
  assert(!state.apiWallets.has(account, source, at), 'api wallets: a revoked key has no name')
}

/** Removes all API wallets of the account. */
export function revokeAllApiWallets(state: DecideApiWalletsState, account: number): void {
  const { apiWallets } = state
  for (const wallet of apiWallets.of(account)) removeApiWallet(state, account, wallet)
  assert(apiWallets.of(account).length === 0, 'api wallets: none is left')
}

export function checkAbstraction(
  _state: DecideApiWalletsState,
  _account: number,
  command: AnyCommand,
): Result {
  const isOffered = abstraction.of(command).abstraction === abstractionOffered
  return isOffered ? Result.Accepted : Result.ValueRefused
}

export function applyAbstraction(
  state: DecideApiWalletsState,
  account: number,
  command: AnyCommand,
): void {
  state.apiWallets.setAbstraction(account, abstraction.of(command).abstraction)
}

function removeApiWallet(state: DecideApiWalletsState, account: number, wallet: ApiWallet): void {
  state.apiWallets.remove(account, wallet)
  publishApiWallet(state, account, AgentChange.Revoked, wallet)
}

function isAddress({ address }: ApiWallet, source: Uint8Array, at: number): boolean {
  return areBytesEqual(address, 0, source, at, addressBytes)
}
