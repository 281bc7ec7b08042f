import { readdirSync, readFileSync } from 'node:fs'

/** Named thread, with its kernel thread id. */
export interface NamedThread {
  readonly role: string
  readonly thread_id: number
}

/** Role of all threads without a name: the main thread, and helpers of the runtime. */
export const restRole = 'rest'
const nanosPerMilli = 1e6

/** Processor time of the threads of a process, by the kernel's count. */
export class ThreadLoad {
  readonly #pid: number
  readonly #roles: ReadonlyMap<number, string>
  #before: ReadonlyMap<number, number> = new Map()
  #beginMillis = 0

  constructor(pid: number, threads: readonly NamedThread[]) {
    this.#pid = pid
    this.#roles = new Map(threads.map(({ role, thread_id: id }) => [id, role]))
  }

  begin(): void {
    this.#before = this.#nanosById()
    this.#beginMillis = performance.now()
  }

  /** Returns the cores that each role kept busy since `begin`: 1 is one whole core. */
  cores(): ReadonlyMap<string, number> {
    const passedNanos = (performance.now() - this.#beginMillis) * nanosPerMilli
    const cores = new Map([...this.#roles.values(), restRole].map((role) => [role, 0]))
    for (const [id, nanos] of this.#nanosById()) {
      const role = this.#roles.get(id) ?? restRole
      const added = (nanos - (this.#before.get(id) ?? 0)) / passedNanos
      cores.set(role, cores.get(role)! + added)
    }
    return cores
  }

  #nanosById(): ReadonlyMap<number, number> {
    const folder = `/proc/${this.#pid}/task`
    const found = new Map<number, number>()
    for (const id of readdirSync(folder)) {
      try {
        found.set(
          Number(id),
          Number.parseInt(readFileSync(`${folder}/${id}/schedstat`, 'utf8'), 10),
        )
      } catch {
        // It has ended since the folder was listed.
      }
    }
    return found
  }
}
