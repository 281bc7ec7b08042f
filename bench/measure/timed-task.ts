import { Bench, type Task } from 'tinybench'

/** A synchronous function that is timed, and what goes before and behind each of its runs without being timed. */
export interface TimedTask {
  readonly run: () => void
  readonly prepare?: () => void
  readonly finish?: () => void
  /** Runs of one turn, for what would be over too soon; the turn's figure is their mean. One when left out. */
  readonly runsPerTurn?: number
}

export interface TurnCounts {
  /** Turns before the first that counts, while the compiler learns. */
  readonly warmUps: number
  readonly turns: number
  /** More turns follow until so much time has gone. */
  readonly millis?: number
}

/** Nanoseconds of each of `count` runs, the shortest first. */
export function timeRuns(task: TimedTask, count: number): number[] {
  return latencyOf(taskOf(task, count)).samples!.map(nanosOfMillis)
}

/**
 * Nanoseconds a run, one figure a turn, for each of the tasks. They take turns, so that a slow moment of the machine
 * weighs on all of them.
 */
export function timeByTurns(tasks: readonly TimedTask[], counts: TurnCounts): number[][] {
  const { warmUps, turns, millis = 0 } = counts
  const timed = tasks.map((task) => taskOf(task, task.runsPerTurn ?? 1))
  const nanos: number[][] = tasks.map(() => [])
  const turn = () => timed.map((task) => nanosOfMillis(latencyOf(task).mean))
  for (let warmUp = 0; warmUp < warmUps; warmUp++) turn()
  const endMillis = performance.now() + millis
  for (let count = 0; count < turns || performance.now() < endMillis; count++) {
    for (const [index, figure] of turn().entries()) nanos[index]!.push(figure)
  }
  return nanos
}

function taskOf({ run, prepare, finish }: TimedTask, iterations: number): Task {
  const bench = new Bench({
    iterations,
    time: 0,
    warmup: false, // ours is by turns, too
    retainSamples: true,
    throws: true,
    timestampProvider: 'hrtimeNow',
  })
  // `async`: left to find out by itself, the library calls the function once more than it is told to.
  const hooks = { async: false, beforeEach: prepare ?? nothing, afterEach: finish ?? nothing }
  return bench.add('turn', run, hooks).getTask('turn')!
}

function latencyOf(task: Task) {
  task.reset(false)
  const { result } = task.runSync()
  if (result.state !== 'completed') throw new Error(`bench: a task is ${result.state}`)
  return result.latency
}

function nanosOfMillis(millis: number): number {
  return millis * 1e6
}

function nothing(): void {}
