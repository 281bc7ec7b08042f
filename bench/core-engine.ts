import { Core } from '../engine/core/core.js'
import { engineVersions } from '../engine/core/engine-versions.js'
import { JournalLink } from '../engine/core/journal-link.js'
import { type CoreRef, CoreReplay, linkOwnMatchers } from '../engine/core/replica.js'
import type { JournalFiles } from '../engine/journal/journal-files.js'
import { JournalWriter } from '../engine/journal/journal-writer.js'
import { emptyJournal, recoverJournal } from '../engine/journal/recovery.js'
import { replayChecked } from '../engine/journal/snapshotter.js'
import {
  allocateEventLog,
  DurableGate,
  EventLogReader,
  EventLogWriter,
} from '../engine/memory/event-log.js'
import { allocateRing, Ring } from '../engine/memory/ring.js'
import { CoreState } from '../engine/state/core-state.js'
import { engineVersion } from '../engine/state/engine-version.js'
import { EventSink } from '../engine/state/event-sink.js'
import { type EngineConfig, engineConfigDefault } from '../engine/state/market/engine-config.js'
import { commandRingBytes, eventLogBytes, journalRingBytes } from '../schemas/bounds.js'
import { CompetitionMetric } from '../schemas/domain.js'
import { SetCompetitionCommand } from '../schemas/generated/commands.js'

const yearMillis = 365 * 86_400_000
const competitionName = 'Bench'

/**
 * Engine wired as in production with in-thread matchers, but without gateways: command ring, core, matcher, event log,
 * journal ring and journal. The benchmark calls its duties, all in one thread.
 */
export class BenchEngine {
  readonly core: Core
  readonly state: CoreState
  /** Producer end of the only command ring. */
  readonly commands: Ring
  readonly events: EventLogReader
  readonly journal: JournalWriter

  /** @param log event log. The writer waits only for the benchmark's own reader. */
  constructor(
    files: JournalFiles,
    config: EngineConfig = engineConfigDefault,
    log = allocateEventLog(eventLogBytes),
  ) {
    const commands = allocateRing(commandRingBytes)
    const journalRing = allocateRing(journalRingBytes)
    this.commands = new Ring(commands, 'producer')
    this.events = new EventLogReader(log, 0)
    const ref: CoreRef = { core: null }
    const sink = new EventSink(new EventLogWriter(log, [0]))
    this.state = new CoreState(config, sink, linkOwnMatchers(ref))
    const link = new JournalLink(new Ring(journalRing, 'producer'), () => {}, true)
    this.core = new Core(this.state, [new Ring(commands, 'consumer')], link, () => {
      throw new Error('bench engine: the event log is read after every chunk')
    })
    ref.core = this.core
    this.journal = new JournalWriter({
      files,
      ring: new Ring(journalRing, 'consumer'),
      gate: new DurableGate(log),
      wakeups: [],
      durability: 'memory',
      engineVersion,
      resume: emptyJournal,
    })
    this.journal.onStart()
  }

  /**
   * Decides everything in the command ring.
   * @returns nanoseconds of the core's duty alone, by `clock`. The journal's duty runs between batches, unmeasured.
   */
  run(nowMillis: number, clock = process.hrtime.bigint): number {
    this.commands.commit()
    let nanos = 0
    while (this.core.hasCommands()) {
      const begin = clock()
      this.core.doWork(nowMillis)
      nanos += Number(clock() - begin)
      this.journal.doWork()
    }
    return nanos
  }

  /** Runs the core until no work is due. A re-mark takes several batches. */
  settle(nowMillis: number): void {
    while (this.core.nextDeadlineMillis <= nowMillis) {
      this.core.doWork(nowMillis)
      this.journal.doWork()
    }
  }
}

/** Result of replaying a journal. */
export interface ReplayRun {
  /** Time without the warm-up's decisions, but with all reading and checking of segments. */
  readonly nanos: number
  readonly state: CoreState
}

/**
 * Recovers a whole journal as in production: checks every checksum, and the state hash of every batch.
 * @param storedSeq assumed last sequence in the history store.
 * @param warmUpTo last batch whose decision time is not counted.
 */
export function replayJournal(files: JournalFiles, storedSeq: number, warmUpTo: number): ReplayRun {
  const ref: CoreRef = { core: null }
  const sink = new EventSink(new EventLogWriter(allocateEventLog(eventLogBytes), []))
  sink.storedSeq = storedSeq
  const state = new CoreState(engineConfigDefault, sink, linkOwnMatchers(ref))
  const core = new Core(state, [], null, () => {})
  ref.core = core
  const replay = new CoreReplay(core)
  const begin = process.hrtime.bigint()
  let warmUpNanos = 0n
  recoverJournal({ files, fromBatch: 1, versions: engineVersions }, (batch) => {
    const batchBegin = process.hrtime.bigint()
    replayChecked(replay, batch)
    if (batch.batchNumber <= warmUpTo) warmUpNanos += process.hrtime.bigint() - batchBegin
  })
  return { nanos: Number(process.hrtime.bigint() - begin - warmUpNanos), state }
}

/** Begins a competition that outlasts every bench. @throws Error if the engine rejects it. */
export function beginCompetition(engine: BenchEngine, nowMillis: number): void {
  const command = new SetCompetitionCommand()
  command.claim(engine.commands, SetCompetitionCommand.bytesWith(competitionName.length))
  command.clear()
  command.competitionId = 0
  command.startMillis = nowMillis
  command.endMillis = nowMillis + yearMillis
  command.conditions = CompetitionMetric.Pnl
  command.nameBytes = competitionName.length
  command.count = competitionName.length
  command.u8.set(Buffer.from(competitionName), command.textsAt)
  engine.run(nowMillis)
  if (engine.state.competitions.activeCount !== 1) throw new Error('bench: no competition runs')
}
