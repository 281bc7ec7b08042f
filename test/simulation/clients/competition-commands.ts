import { CompetitionMetric } from '../../../schemas/domain.js'
import { SetCompetitionCommand } from '../../../schemas/generated/commands.js'
import { Action } from './action.js'
import { commandOf } from './command-record.js'
import type { CommandGenerator, Trader } from './trader.js'

/** Few, so that commands change running competitions. */
const names = ['spring', 'summer', 'autumn'] as const
const spanMillisMax = 60_000
const { Efficiency, Pnl, Volume } = CompetitionMetric
/** The last two are invalid: a duplicate metric, and no metric. */
const conditions = [Pnl, Volume, Pnl | (Efficiency << 2), Pnl | (Pnl << 2), 0] as const

/** Competitions that are upcoming, running, already over, or unknown. */
export const competitionCommands: readonly CommandGenerator[] = [
  { weight: 4, make: setCompetition },
]

function setCompetition(trader: Trader): Action {
  const { clock, random } = trader
  const name = Buffer.from(random.pick(names))
  const count = name.length
  const startMillis = Math.floor(clock.now()) + random.below(spanMillisMax) - spanMillisMax / 2
  const command = commandOf(
    SetCompetitionCommand,
    {
      competitionId: random.chance(0.2) ? 1 + random.below(4) : 0,
      startMillis,
      endMillis: startMillis + random.below(spanMillisMax),
      conditions: random.pick(conditions),
      ...{ nameBytes: random.chance(0.95) ? count : 0, count },
    },
    SetCompetitionCommand.bytesWith(count),
  )
  command.u8.set(name, command.textsAt)
  return new Action(command)
}
