import { isIP } from 'node:net'
import { Result } from '../../schemas/results.js'
import { Fault } from '../wire/fault.js'
import { isLoopbackName } from '../wire/loopback-name.js'

/** Options of the operator port's checks. */
export interface OperatorGuardOptions {
  /** Address that the port listens on. */
  readonly host: string
  /** Additional host names to accept. */
  readonly hosts: readonly string[]
  /** Receives messages about wrong tokens, at most one per `emitMillis`. */
  readonly log: (line: string) => void
  readonly delayMillis?: number
}

const delayMillisDefault = 1000
const reportMillis = 10_000
// Further clients are answered without a delay, because delayed ones hold connections.
const waitingMax = 32
const wildcards = ['0.0.0.0', '::']
const portPattern = /:\d{1,5}$/

/**
 * Checks of the operator port. A page in an operator's browser can reach loopback too, through its own host name that
 * resolves to 127.0.0.1, so only known host names are served. The answer to a wrong token is delayed, without delaying
 * requests that have a right one.
 */
export class OperatorGuard {
  readonly #options: OperatorGuardOptions
  readonly #names: ReadonlySet<string>
  /** True if the port listens on all addresses of the machine, each of which is then a known host. */
  readonly #isEverywhere: boolean
  #waiting = 0
  #wrong = 0
  #reportedMillis = Number.NEGATIVE_INFINITY

  constructor(options: OperatorGuardOptions) {
    this.#options = options
    this.#names = new Set([options.host, ...options.hosts].map(nameOf))
    this.#isEverywhere = wildcards.includes(options.host)
  }

  /** Returns why a request with this `Host` is not served, or null. */
  refusesHost(host: string): Fault | null {
    const name = nameOf(host)
    if (this.#names.has(name) || isLoopbackName(name)) return null
    // A literal address cannot be rebound by DNS, so it is safe: for example a probe of the pod.
    if (this.#isEverywhere && isIP(name) !== 0) return null
    const message = `Not a host of the operator interface; operator.hosts names others than loopback`
    return new Fault(Result.Unauthorized, {}, message)
  }

  /** Counts a wrong token. @returns Resolves when it may be answered. */
  async onWrongToken(address: Uint8Array): Promise<void> {
    this.#wrong++
    this.#report(address)
    if (this.#waiting >= waitingMax) return
    this.#waiting++
    const { delayMillis = delayMillisDefault } = this.#options
    await new Promise((resolve) => setTimeout(resolve, delayMillis))
    this.#waiting--
  }

  #report(address: Uint8Array): void {
    const now = performance.now()
    if (now - this.#reportedMillis < reportMillis) return
    this.#reportedMillis = now
    const from = address.length === 4 ? address.join('.') : Buffer.from(address).toString('hex')
    this.#options.log(`wrong operator token, ${this.#wrong} so far, this one from ${from}`)
  }
}

/** Normalizes a `Host` header: lower-case, without port, brackets and the final dot. */
function nameOf(host: string): string {
  const bare = isIP(host) === 6 ? host : host.replace(portPattern, '')
  return bare
    .toLowerCase()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '')
}
