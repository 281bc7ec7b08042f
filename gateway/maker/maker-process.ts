import { type ChildProcess, fork } from 'node:child_process'

export interface MakerProcessOptions {
  /** Compiled file of the market maker; it is never imported, only run. */
  readonly file: string
  readonly url: string
  /** '' without an operator interface. */
  readonly operatorUrl: string
  readonly operatorToken: string
  /** Aborted when the venue stops: the maker then ends, and `settled` resolves. */
  readonly stopping: AbortSignal
  readonly onLine: (line: string) => void
}

/** Message of the maker when its session as a quote provider is open, or failed. */
export const providerSettled = 'provider settled'

const restartMillis = 5000
const settledMillisMax = 10_000

/** Paper market maker in a child process. It is restarted when it exits, and ends with its parent. */
export class MakerProcess {
  readonly #options: MakerProcessOptions
  #child: ChildProcess | null = null
  #timer: NodeJS.Timeout | null = null
  #isStopped = false
  #settle: () => void = () => {}
  /**
   * Resolves when the session as a quote provider is open, or when the venue should not wait for it: it failed, the
   * maker exited or was stopped, or 10 s have passed. So a failing maker never delays the venue.
   */
  readonly settled = new Promise<void>((resolve) => {
    this.#settle = resolve
  })

  constructor(options: MakerProcessOptions) {
    this.#options = options
    const timer = setTimeout(this.#settle, settledMillisMax)
    void this.settled.then(() => clearTimeout(timer))
    const { stopping } = options
    stopping.addEventListener('abort', () => this.stop())
    if (stopping.aborted) this.stop()
    else this.#start()
  }

  /** Ends the maker. Its orders stay in the books, like those of any client that disconnects. */
  stop(): void {
    this.#isStopped = true
    if (this.#timer) clearTimeout(this.#timer)
    this.#child?.kill('SIGTERM')
    this.#settle()
  }

  #start(): void {
    const { file, url, operatorUrl, operatorToken, onLine } = this.#options
    const child = fork(file, [], {
      // The channel closes when this process ends, for any reason. The child must not write to standard output.
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      execArgv: [],
      env: {
        ...process.env,
        MAKER_URL: url,
        MAKER_OPERATOR_URL: operatorUrl,
        MAKER_OPERATOR_TOKEN: operatorToken,
        // The certificate is for the public name of the venue, but the maker connects locally.
        ...(url.startsWith('https:') ? { NODE_TLS_REJECT_UNAUTHORIZED: '0' } : {}),
      },
    })
    this.#child = child
    child.stderr?.setEncoding('utf8')
    child.stderr?.on('data', (text: string) => {
      for (const line of text.split('\n')) if (line !== '') onLine(line)
    })
    child.on('message', (message) => {
      if (message === providerSettled) this.#settle()
    })
    child.on('error', (error) => onLine(error.message))
    child.on('exit', (code) => {
      this.#settle()
      if (this.#isStopped) return
      onLine(`ended with code ${code}`)
      this.#timer = setTimeout(() => this.#start(), restartMillis)
    })
  }
}
