import { OrderFlag, Side } from '../../../schemas/domain.js'
import { MmpAction } from '../../../schemas/record-values.js'
import { Result } from '../../../schemas/results.js'
import {
  type LiquidationOrdersState,
  sendCancel,
  ticketsLeft,
} from '../../lifecycle/liquidation-orders.js'
import { CountedFill } from '../../matching/mmp-window.js'
import { countedMicros } from '../../pricing/rounding.js'
import { type PublishMmpState, publishMmpFill } from '../../publish/publish-mmp.js'
import type { FillTerms } from '../../risk/order-check.js'
import type { MmpTable } from '../../state/accounts/mmp-table.js'
import type { Batch } from '../../state/batch.js'
import type { RfqTable } from '../../state/rfq/rfq-table.js'
import { ordersOf } from '../../state/wallet-rows.js'

interface CountRfqState extends PublishMmpState, LiquidationOrdersState {
  readonly mmp: MmpTable
  readonly rfqs: RfqTable
}

const fill = new CountedFill()

/**
 * Counts a leg for the wallet's protection, if fills of requests count. It counts as the wallet's matcher would; the
 * matcher receives the updated window and sends nothing back. If the leg reaches a limit, the fill stays valid and the
 * wallet is frozen.
 */
export function countLeg(state: CountRfqState, terms: FillTerms, isTaker: boolean): void {
  const { config, instruments, marks, matchers, mmp, nowMillis } = state
  if (!config.mmpIncludeRfq || (isTaker && !config.mmpCountTakerFills)) return
  const { account, instrument } = terms
  const underlying = instruments.underlying[instrument]
  if (mmp.find(account, underlying) === undefined) return
  fill.account = account
  fill.underlying = underlying
  fill.nowMillis = nowMillis
  fill.sizeLots = terms.side === Side.Buy ? terms.sizeLots : -terms.sizeLots
  fill.deltaMicros = countedMicros(marks.delta[instrument])
  fill.vegaMicros = countedMicros(marks.vegaPerPoint[instrument])
  const row = mmp.countOwn(fill)
  const matcher = matchers.of(underlying)
  matchers.protect(matcher, MmpAction.Reset, row, nowMillis)
  matchers.restoreProtection(matcher, row, nowMillis)
  publishMmpFill(state, row, fill)
  if (fill.triggers !== 0) state.rfqs.frozen.push({ account, underlying })
}

/**
 * Cancels the protected orders of frozen wallets before any other order can trade with them.
 * @returns true if there were any; call again after they are answered.
 */
export function cancelFrozen(state: CountRfqState, batch: Batch): boolean {
  const { frozen } = state.rfqs
  if (frozen.length === 0) return false
  while (frozen.length > 0) {
    const { account, underlying } = frozen[0]
    for (const slot of ordersOf(state, account)) {
      if (!isProtectedIn(state, slot, underlying)) continue
      if (ticketsLeft(batch) === 0) return true
      sendCancel(state, batch, slot, Result.MmpCanceled)
    }
    frozen.shift()
  }
  return batch.count > 0
}

function isProtectedIn(
  { instruments, orders }: CountRfqState,
  slot: number,
  underlying: number,
): boolean {
  const isProtected = (orders.flags[slot] & OrderFlag.MmpEnabled) !== 0
  return isProtected && instruments.underlying[orders.instrument[slot]] === underlying
}
