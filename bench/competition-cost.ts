import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { NodeFiles } from '../engine/journal/node-files.js'
import { CompetitionMetric } from '../schemas/domain.js'
import { SetCompetitionCommand } from '../schemas/generated/commands.js'
import { type BenchResult, type Extra, ratioOf, spread } from './bench-result.js'
import { BenchEngine } from './core-engine.js'
import { CoreFlow } from './core-flow.js'
import { repeatQuietly } from './quiet-repeats.js'

export interface CompetitionCostOptions {
  /** Commands that go before the first repeat, and of each repeat; both sides have the same. */
  readonly warmUp: number
  readonly commands: number
  readonly repeats: number
  /** Folder for the journals; a temporary one is made in it and removed. */
  readonly directory: string
}

interface Turn {
  readonly withoutNanos: number
  readonly withNanos: number
  readonly trades: number
}

const commandsPerChunk = 2048
const shape = { seed: 29, wallets: 50, underlyings: 4 }
const name = 'Bench'
const yearMillis = 365 * 86_400_000

/**
 * What a competition that runs costs the core: the same flow goes to two engines, of which one has a competition, chunk
 * by chunk, each of them first by turns. Processor time of the core's duty alone, matcher in it. Both carry out the same
 * trades, or the bench fails.
 */
export async function runCompetitionCostBench(
  options: CompetitionCostOptions,
): Promise<BenchResult[]> {
  const { commands, directory, repeats, warmUp } = options
  const root = mkdtempSync(join(directory, 'strikebook-competition-bench-'))
  try {
    const without = openFlow(join(root, 'without'))
    const contest = openFlow(join(root, 'with'))
    beginCompetition(contest.engine, contest.nowMillis)
    takeTurns(without, contest, warmUp)
    const { figures, quiet } = await repeatQuietly(repeats, async () =>
      takeTurns(without, contest, commands),
    )
    for (const { engine } of [without, contest]) engine.journal.onClose()
    return resultsOf(figures, { commandsPerRepeat: commands, ...quiet })
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

function openFlow(directory: string): CoreFlow {
  const flow = new CoreFlow(new BenchEngine(new NodeFiles(directory)), shape)
  flow.open()
  return flow
}

/** From now on, for longer than any bench. @throws Error when the engine refuses it. */
export function beginCompetition(engine: BenchEngine, nowMillis: number): void {
  const command = new SetCompetitionCommand()
  command.claim(engine.commands, SetCompetitionCommand.bytesWith(name.length))
  command.clear()
  command.competitionId = 0
  command.startMillis = nowMillis
  command.endMillis = nowMillis + yearMillis
  command.conditions = CompetitionMetric.Pnl
  command.nameBytes = name.length
  command.count = name.length
  command.u8.set(Buffer.from(name), command.textsAt)
  engine.run(nowMillis)
  if (engine.state.competitions.activeCount !== 1) throw new Error('bench: no competition runs')
}

function takeTurns(without: CoreFlow, contest: CoreFlow, commands: number): Turn {
  const nanos = new Map([
    [without, 0],
    [contest, 0],
  ])
  const before = without.fillCount
  for (let done = 0, turn = 0; done < commands; done += commandsPerChunk, turn++) {
    for (const flow of turn % 2 === 0 ? [without, contest] : [contest, without]) {
      flow.fill(commandsPerChunk)
      nanos.set(flow, nanos.get(flow)! + flow.run(ownNanos))
    }
    if (without.fillCount !== contest.fillCount || without.refusalCount !== contest.refusalCount) {
      throw new Error('bench: a competition has changed what the engine decides')
    }
  }
  const trades = (without.fillCount - before) / 2
  return { withoutNanos: nanos.get(without)!, withNanos: nanos.get(contest)!, trades }
}

/** Processor time of this process, whose other threads have nothing to do. */
function ownNanos(): bigint {
  const { system, user } = process.cpuUsage()
  return BigInt(user + system) * 1000n
}

function resultsOf(turns: readonly Turn[], extra: Extra): BenchResult[] {
  const perTrade = (of: (turn: Turn) => number) =>
    turns.map((turn) => of(turn) / turn.trades / 1000)
  const added = spread(perTrade(({ withNanos, withoutNanos }) => withNanos - withoutNanos))
  const base = spread(perTrade(({ withoutNanos }) => withoutNanos))
  const trades = Math.round(turns.reduce((sum, turn) => sum + turn.trades, 0))
  return [
    ratioOf(
      {
        name: 'competition.core',
        extra: { about: 'processor time of the core with one over without', ...extra },
        threshold: { atMost: 1.2 },
      },
      turns.map(({ withNanos }) => withNanos),
      turns.map(({ withoutNanos }) => withoutNanos),
    ),
    {
      name: 'competition.trade',
      unit: 'us/trade',
      ...added,
      extra: {
        about: "more of the core's processor time; all commands without it beside",
        ...{ trades, baseMicrosPerTrade: base.value, ...extra },
      },
    },
  ]
}
