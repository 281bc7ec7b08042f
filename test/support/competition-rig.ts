import { CompetitionMetric } from '../../schemas/domain.js'
import { SetCompetitionCommand } from '../../schemas/generated/commands.js'
import type { CoreRig } from './core-rig.js'

const command = new SetCompetitionCommand()

/** Terms of a competition; its times are milliseconds from now. */
export interface CompetitionWish {
  readonly id?: number
  readonly name?: string
  readonly start?: number
  readonly end?: number
  readonly conditions?: number
  readonly nameBytes?: number
}

/** Writes a SetCompetition. */
export function setCompetition(rig: CoreRig, wish: CompetitionWish = {}): number {
  const { id = 0, name = 'Spring', start = 1000, end = 2000 } = wish
  const text = Buffer.from(name)
  command.claim(rig, SetCompetitionCommand.bytesWith(text.length))
  command.competitionId = id
  command.startMillis = rig.nowMillis + start
  command.endMillis = rig.nowMillis + end
  command.conditions = wish.conditions ?? CompetitionMetric.Pnl
  command.nameBytes = wish.nameBytes ?? text.length
  command.count = text.length
  command.u8.set(text, command.textsAt)
  return rig.requests
}
