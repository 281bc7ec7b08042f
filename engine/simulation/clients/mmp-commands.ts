import { CommandType, EndMmpCommand, SetMmpCommand } from '../../../schemas/generated/commands.js'
import type { Action } from './action.js'
import { commandOf } from './command-record.js'
import { underlyings } from './market-plan.js'
import { signed } from './order-commands.js'
import type { TradingDesk } from './trading-desk.js'

/** Near the sizes of orders, so that some trigger at once and others after many fills; 0: none. */
const limitsMicros = [0, 100_000, 500_000, 1_500_000, 5_000_000, 60_000_000] as const
const intervalsMillis = [1, 50, 1000, 20_000, 86_400_000] as const
const frozenMillis = [0, 1, 200, 2000, 86_400_000] as const

/** Protects a wallet in one underlying, or changes how; without any limit it is refused. */
export function setMmp(desk: TradingDesk): Action {
  const { random } = desk
  const command = commandOf(SetMmpCommand, {
    underlyingText: underlyingName(desk),
    intervalMillis: random.pick(intervalsMillis),
    frozenMillis: random.pick(frozenMillis),
  })
  // Vega per contract is a hundred times a delta, or more.
  for (const [measure, scale] of [1, 1, 200].entries()) {
    command.setLimits(measure, random.pick(limitsMicros) * scale)
  }
  return signed(desk, command, desk.wallet())
}

/** Resets a protection, which may not be there. */
export function resetMmp(desk: TradingDesk): Action {
  return endAction(desk, CommandType.ResetMmp)
}

/** Ends a protection, which may not be there. */
export function deleteMmp(desk: TradingDesk): Action {
  return endAction(desk, CommandType.DeleteMmp)
}

function endAction(
  desk: TradingDesk,
  type: typeof CommandType.ResetMmp | typeof CommandType.DeleteMmp,
): Action {
  const underlyingText = underlyingName(desk)
  return signed(desk, commandOf(EndMmpCommand, { underlyingText }, type), desk.wallet())
}

/** Mostly one of the first two: a market needs wallets that meet their limits. */
function underlyingName({ random }: TradingDesk): string {
  return random.chance(0.7) ? underlyings[random.below(2)] : random.pick(underlyings)
}
