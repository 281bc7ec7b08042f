import {
  type LiquidationGateState,
  liquidationGate,
} from '../../../engine/lifecycle/liquidation-gate.js'
import { areBytesEqual } from '../../../engine/memory/bytes.js'
import type { InstrumentTable } from '../../../engine/pricing/instruments.js'
import { LiquidationGate } from '../../../engine/risk/order-check.js'
import type { Accounts } from '../../../engine/state/accounts/accounts.js'
import type { EngineConfig } from '../../../engine/state/market/engine-config.js'
import type { ProviderTable } from '../../../engine/state/rfq/provider-table.js'
import { Answer, type Invited, type Rfq } from '../../../engine/state/rfq/rfq-row.js'
import type { RfqTable } from '../../../engine/state/rfq/rfq-table.js'
import { HaltMode, InstrumentState, ProviderStatus, RfqStatus } from '../../../schemas/domain.js'
import { mustHold } from '../run/simulation-errors.js'

interface RfqInvariantsState extends LiquidationGateState {
  readonly rfqs: RfqTable
  readonly config: EngineConfig
  readonly instruments: InstrumentTable
  readonly nowMillis: number
  haltModeOf(underlying: number): HaltMode
  readonly providers: ProviderTable
  readonly accounts: Accounts
}

/** Checks that each request ends in the step that ends it, and that no signature outlives its signer's authority. */
export function checkRfqs(state: RfqInvariantsState): void {
  const { rfqs } = state
  const counts = new Map<number, number>()
  const isDone = rfqs.fallbacks.length === 0 && rfqs.frozen.length === 0
  mustHold(isDone, () => 'an order of a request is left behind')
  for (const row of rfqs.rows) {
    const { account } = row.terms
    if (!row.isAuction) counts.set(account, (counts.get(account) ?? 0) + 1)
    checkRow(state, row)
    if (!row.isAuction) checkRequest(state, row)
    for (const invited of row.invited) checkInvited(state, row, invited)
  }
  for (const [account, count] of counts) {
    const counted = rfqs.openCountOf(account)
    mustHold(counted === count, () => `account ${account} counts ${counted} requests, has ${count}`)
    const { maxOpenPerWallet } = state.config.rfq
    mustHold(count <= maxOpenPerWallet, () => `account ${account} has ${count} open requests`)
  }
}

function checkRow(state: RfqInvariantsState, row: Rfq): void {
  const { instruments, nowMillis } = state
  const { account, legs } = row.terms
  const { key, status } = row
  mustHold(row.dueMillis > nowMillis, () => `request ${key} is overdue`)
  const isOpen = status === RfqStatus.SentToQps || status === RfqStatus.QuotesReceived
  mustHold(isOpen, () => `request ${key} is open in status ${status}`)
  for (const { instrument } of legs) {
    const isActive = instruments.state[instrument] === InstrumentState.Active
    mustHold(isActive, () => `request ${key} is for instrument ${instrument}, which has ended`)
    const isHalted = state.haltModeOf(instruments.underlying[instrument]) !== HaltMode.Open
    mustHold(!isHalted, () => `request ${key} is open in a halt`)
  }
  const isLiquidated = liquidationGate(state, account) === LiquidationGate.Closed
  mustHold(!isLiquidated, () => `request ${key} is open, account ${account} in liquidation`)
}

/** Checks a request that a taker has signed. */
function checkRequest(state: RfqInvariantsState, { invited, key, status, terms }: Rfq): void {
  const isSigned = maySign(state, terms.account, terms.signer)
  mustHold(isSigned, () => `request ${key} was signed by no agent any more`)
  const mayBeQuoted =
    status !== RfqStatus.SentToQps ||
    invited.some(({ answer }) => answer === Answer.None || answer === Answer.Quoted)
  mustHold(mayBeQuoted, () => `request ${key} waits for nobody`)
}

function checkInvited(state: RfqInvariantsState, row: Rfq, { account, quote }: Invited): void {
  const { isAuction, key, terms } = row
  mustHold(account !== terms.account, () => `request ${key} asks its own taker`)
  if (quote === null) return
  const { expiresMillis, signer } = quote
  // A quote of an auction is checked when the auction is decided.
  mustHold(
    expiresMillis >= state.nowMillis || isAuction,
    () => `request ${key} has a quote that is over`,
  )
  const status = state.providers.find(account)?.status
  mustHold(status === ProviderStatus.Active, () => `request ${key} has a quote of who may not`)
  mustHold(maySign(state, account, signer), () => `request ${key} has a quote of no agent any more`)
}

function maySign({ accounts }: RfqInvariantsState, account: number, signer: Uint8Array): boolean {
  const wallet = new Uint8Array(signer.length)
  accounts.addresses.write(account, wallet, 0)
  const isOwner = areBytesEqual(wallet, 0, signer, 0, signer.length)
  return isOwner || accounts.agents.has(account, signer, 0)
}
