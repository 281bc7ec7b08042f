import { Bench, type Task } from 'tinybench'

/** Synchronous function to time, with untimed functions before and after each run. */
export interface TimedTask {
  readonly run: () => void
  readonly prepare?: () => void
  readonly finish?: () => void
  /** Runs per turn, for short functions; the turn's figure is their mean. Default 1. */
  readonly runsPerTurn?: number
}

export interface TurnCounts {
  /** Uncounted turns before the first counted one, in which the code is compiled. */
  readonly warmUps: number
  readonly turns: number
  /** Minimum duration of all turns. */
  readonly millis?: number
}

/** Returns the nanoseconds of each of `count` runs, ascending. */
export function timeRuns(task: TimedTask, count: number): number[] {
  return latencyOf(taskOf(task, count)).samples!.map(nanosOfMillis)
}

/**
 * Returns the nanoseconds per run of each task, one figure per turn. Tasks take turns, so that a slow moment of the machine
 * affects all of them.
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
    warmup: false, // `timeByTurns` warms up in turns
    retainSamples: true,
    throws: true,
    timestampProvider: 'hrtimeNow',
  })
  // Without `async: false` the library calls the function once more, to detect whether it is async.
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
