import { isIP } from 'node:net'
import { Result } from '../../schemas/results.js'
import { Fault } from '../wire/fault.js'
import { isLoopbackName } from '../wire/loopback-name.js'

/** What an operator port lets nobody past, and tells its owner of. */
export interface OperatorGuardOptions {
  /** Address that it listens on. */
  readonly host: string
  /** Names that it may be asked by, beside that address and those of loopback. */
  readonly hosts: readonly string[]
  /** Hears of wrong tokens, at most once in `tellMillis`. */
  readonly log: (line: string) => void
  readonly delayMillis?: number
}

const delayMillisDefault = 1000
const tellMillis = 10_000
// More than wait at once hear their answer without waiting: they hold connections meanwhile.
const waitingMax = 32
const wildcards = ['0.0.0.0', '::']
const portPattern = /:\d{1,5}$/

/**
 * The operator port's door. A page in an operator's browser can speak to loopback, too, by a name of its own that it has
 * resolve to 127.0.0.1: only names that are ours are answered. Whoever sends a wrong token waits for the answer; a
 * right one is never kept waiting by those who do.
 */
export class OperatorGuard {
  readonly #options: OperatorGuardOptions
  readonly #names: ReadonlySet<string>
  /** Listening on all addresses of the machine: each of them is its own. */
  readonly #isEverywhere: boolean
  #waiting = 0
  #wrong = 0
  #toldMillis = Number.NEGATIVE_INFINITY

  constructor(options: OperatorGuardOptions) {
    this.#options = options
    this.#names = new Set([options.host, ...options.hosts].map(nameOf))
    this.#isEverywhere = wildcards.includes(options.host)
  }

  /** Why a request by this `Host` is not served, or null. */
  refusesHost(host: string): Fault | null {
    const name = nameOf(host)
    if (this.#names.has(name) || isLoopbackName(name)) return null
    // An address resolves to nothing else, whoever asks by it: a probe of the pod, say.
    if (this.#isEverywhere && isIP(name) !== 0) return null
    const message = `Not a host of the operator interface; operator.hosts names others than loopback`
    return new Fault(Result.Unauthorized, {}, message)
  }

  /** A token was wrong. @returns when that may be said. */
  async onWrongToken(address: Uint8Array): Promise<void> {
    this.#wrong++
    this.#tell(address)
    if (this.#waiting >= waitingMax) return
    this.#waiting++
    const { delayMillis = delayMillisDefault } = this.#options
    await new Promise((resolve) => setTimeout(resolve, delayMillis))
    this.#waiting--
  }

  #tell(address: Uint8Array): void {
    const now = performance.now()
    if (now - this.#toldMillis < tellMillis) return
    this.#toldMillis = now
    const from = address.length === 4 ? address.join('.') : Buffer.from(address).toString('hex')
    this.#options.log(`wrong operator token, ${this.#wrong} so far, this one from ${from}`)
  }
}

/** Name of a `Host` header: lower-case, without port, brackets, and the dot that ends a whole name. */
function nameOf(host: string): string {
  const bare = isIP(host) === 6 ? host : host.replace(portPattern, '')
  return bare
    .toLowerCase()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '')
}
