import { spawn, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from 'node:worker_threads'

const script = join(import.meta.dirname, '../../scripts/strikebook.js')

const outBytesMax = 1 << 28
const commandMillisMax = 120_000

export interface CommandEnd {
  readonly code: number | null
  readonly out: string
  readonly error: string
}

export interface CommandThreadData {
  readonly answers: MessagePort
  /** Counts the commands that have ended. */
  readonly ended: Int32Array
}

/** Thread that runs commands: loading the code is half of what most commands cost. */
class CommandThread {
  readonly #ended = new Int32Array(new SharedArrayBuffer(4))
  readonly #answers: MessagePort
  readonly #worker: Worker

  constructor() {
    const { port1, port2 } = new MessageChannel()
    this.#answers = port1
    this.#worker = new Worker(new URL('./command-thread.js', import.meta.url), {
      workerData: { answers: port2, ended: this.#ended } satisfies CommandThreadData,
      transferList: [port2],
    })
    this.#worker.unref()
  }

  run(words: readonly string[]): CommandEnd {
    const before = Atomics.load(this.#ended, 0)
    this.#worker.postMessage(words)
    if (Atomics.wait(this.#ended, 0, before, commandMillisMax) === 'timed-out') {
      throw new Error(`strikebook ${words.join(' ')}: no end`)
    }
    return receiveMessageOnPort(this.#answers)!.message
  }
}

let thread: CommandThread | null = null

/** Runs the command in a thread that has run others before. Only the process start is missing. */
export function strikebook(...words: readonly string[]): CommandEnd {
  return (thread ??= new CommandThread()).run(words)
}

/** Runs the command as a user does. */
export function strikebookAlone(...words: readonly string[]): CommandEnd {
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...words], {
    maxBuffer: outBytesMax,
  })
  return { code: status, out: stdout.toString(), error: stderr.toString() }
}

/** Runs the command like a user, without blocking the caller. */
export function strikebookAsync(...words: readonly string[]): Promise<CommandEnd> {
  const child = spawn(process.execPath, [script, ...words])
  let out = ''
  let error = ''
  child.stdout.on('data', (chunk) => {
    out += chunk
  })
  child.stderr.on('data', (chunk) => {
    error += chunk
  })
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, out, error })))
}

/**
 * Returns the output of a verb with `--json`.
 * @throws Error with its error output, when it fails
 */
export function strikebookJson<T>(...words: readonly string[]): T {
  const { code, out, error } = strikebook(...words, '--json')
  if (code !== 0) throw new Error(`exit code ${code}: ${error}`)
  return JSON.parse(out) as T
}
