import { rfqLegsMax, sizeLotsMax, uuidBytes } from '../../../schemas/bounds.js'
import {
  HaltMode,
  InstrumentState,
  RfqKind,
  Side,
  Tier,
  TradingMode,
} from '../../../schemas/domain.js'
import { type AnyCommand, SubmitRfqCommand } from '../../../schemas/generated/commands.js'
import { Result } from '../../../schemas/results.js'
import { formatUuid } from '../../../schemas/uuid.js'
import { addressBytes } from '../../../schemas/wallet.js'
import { liquidationGate } from '../../lifecycle/liquidation-gate.js'
import { none } from '../../memory/rows.js'
import { factsOfNothing } from '../../publish/publish-orders.js'
import { markedLegs } from '../../rfq/price-legs.js'
import { contradictsMarks } from '../../rfq/rfq-limit.js'
import { openRfq } from '../../rfq/rfq-states.js'
import { LiquidationGate } from '../../risk/order-check.js'
import { closesOnly, workingLots } from '../../risk/working-orders.js'
import { ownFacts } from '../../state/accounts/kept-results.js'
import type { Batch } from '../../state/batch.js'
import type { CoreState } from '../../state/core-state.js'
import type { RfqLeg } from '../../state/rfq/rfq-row.js'
import { answerEarlier, answerNow } from '../steps/answer.js'
import { acceptAction } from '../steps/signed.js'

const submit = new SubmitRfqCommand()
const facts = ownFacts()

/**
 * SubmitRfq: opens a request and sends it to the connected providers. A request that fails leaves its nonce and id
 * unused.
 */
export function decideSubmit(
  state: CoreState,
  batch: Batch,
  ticket: number,
  command: AnyCommand,
): void {
  answerEarlier(state, batch, ticket)
  const account = batch.account[ticket]
  const legs = legsOf(state, submit.of(command))
  const details = batch.details.subarray(batch.beginDetails(ticket))
  const result = legs === null ? Result.ValueRefused : check(state, account, legs, details)
  batch.result[ticket] = result
  if (legs === null || result !== Result.Accepted) return
  const { kind, limitMicros, rfqIdAt, signerAt, u8 } = submit.of(command)
  const { nowMillis, config } = state
  const row = openRfq(state, {
    id: u8.slice(rfqIdAt, rfqIdAt + uuidBytes),
    account,
    signer: u8.slice(signerAt, signerAt + addressBytes),
    kind,
    limitMicros,
    legs,
    createdMillis: nowMillis,
    responseMillis: nowMillis + config.rfq.responseDeadlineMillis,
    expiresMillis: nowMillis + config.rfq.lifetimeMillis,
  })
  factsOfNothing(command, none, facts)
  facts.rfqStatus = row.status
  acceptAction(state, batch, ticket, Result.Accepted, facts, 0)
  answerNow(state, batch, ticket, Result.Accepted, 0, facts)
}

/**
 * Returns the legs with their instruments, `none` for an instrument that is not listed.
 * @returns null if they do not form a valid combo.
 */
function legsOf({ instruments }: CoreState, { count }: SubmitRfqCommand): RfqLeg[] | null {
  const { kind } = submit
  if (!(count >= 1 && count <= rfqLegsMax)) return null
  if (kind !== RfqKind.Plain && kind !== RfqKind.Auto) return null
  const name = submit.legs(0).key.underlyingText
  const legs: RfqLeg[] = []
  for (let index = 0; index < count; index++) {
    const { key, side, sizeLots } = submit.legs(index)
    const isSize = Number.isInteger(sizeLots) && sizeLots > 0 && sizeLots <= sizeLotsMax
    const isSide = side === Side.Buy || side === Side.Sell
    if (!isSize || !isSide || key.underlyingText !== name) return null
    const instrument = instruments.findKey(key)
    const isRepeated = legs.some((leg) => leg.instrument === instrument)
    if (instrument !== none && isRepeated) return null
    legs.push({ instrument, side, sizeLots })
  }
  return legs
}

/** Guard ladder of a request, after signer and nonce. The first line that fails gives the result. */
function check(
  state: CoreState,
  account: number,
  legs: readonly RfqLeg[],
  details: Float64Array,
): Result {
  const { config, instruments, rfqs } = state
  const { limitMicros, rfqIdAt, u8 } = submit
  if (!Number.isSafeInteger(limitMicros)) return Result.ValueRefused
  const areListed = legs.every(({ instrument }) => instrument !== none)
  if (areListed && contradictsMarks(limitMicros, markedLegs(state, legs))) {
    return Result.RfqLimitContradicts
  }
  if (rfqs.isUsed(formatUuid(u8, rfqIdAt))) return Result.RfqIdUsed
  if (state.walletStops.has(account)) return Result.WalletStopped
  const haltResult = haltOf(state, instruments.findNamed(submit.legs(0).key))
  if (haltResult !== Result.Accepted) return haltResult
  const gate = liquidationGate(state, account)
  const isClosing = legs.every((leg) => closesOnly(state.risk, account, leg))
  if (gate === LiquidationGate.Closed) return Result.AccountInLiquidation
  if (gate === LiquidationGate.ReducingOnly && !isClosing) return Result.AccountInLiquidation
  const servedResult = checkServed(state, legs, details)
  if (servedResult !== Result.Accepted) return servedResult
  const tier = checkTier(state, account, legs, details)
  if (tier !== Result.Accepted) return tier
  if (state.risk.cashMicros[account] <= 0 && !isClosing) return Result.NoFunds
  const { maxOpenPerWallet } = config.rfq
  if (rfqs.openCountOf(account) < maxOpenPerWallet) return Result.Accepted
  details[0] = maxOpenPerWallet
  return Result.RfqLimit
}

/** Returns the error of a halt for requests of an underlying and for their execution, or `Accepted`. */
export function haltOf(state: CoreState, underlying: number): Result {
  if (underlying < 0) return Result.Accepted
  const mode = state.haltModeOf(underlying)
  if (mode === HaltMode.Halted) return Result.TradingHalted
  return mode === HaltMode.CancelOnly ? Result.CancelOnly : Result.Accepted
}

/** Returns `Accepted` if every leg is listed, active, and tradable by request. */
function checkServed(
  { instruments, nowMillis }: CoreState,
  legs: readonly RfqLeg[],
  details: Float64Array,
): Result {
  for (const [index, { instrument }] of legs.entries()) {
    if (instrument === none) {
      details[0] = index + 1
      return Result.RfqLegUnknown
    }
    const isActive =
      instruments.state[instrument] === InstrumentState.Active &&
      instruments.expiryMillis[instrument] > nowMillis
    if (!isActive) return Result.InstrumentExpired
    const isServed =
      (instruments.tradingMode[instrument] & TradingMode.Rfq) !== 0 &&
      !instruments.isPerp(instrument)
    if (isServed) continue
    details[0] = instrument
    return Result.RfqNotServed
  }
  return Result.Accepted
}

/** Returns `Accepted` unless a long-only wallet sells more than it has. */
function checkTier(
  { risk }: CoreState,
  account: number,
  legs: readonly RfqLeg[],
  details: Float64Array,
): Result {
  if (risk.tier[account] !== Tier.Tier1) return Result.Accepted
  for (const { instrument, side, sizeLots } of legs) {
    if (side === Side.Buy) continue
    const row = risk.findExposure(account, instrument)
    const longLots = row === none ? 0 : Math.max(0, risk.exposures.positionLots[row])
    const working = row === none ? 0 : workingLots(risk, account, row, Side.Sell)
    if (sizeLots <= longLots - working) continue
    details[0] = longLots
    details[1] = working
    details[2] = sizeLots
    return Result.TierLongOnly
  }
  return Result.Accepted
}
