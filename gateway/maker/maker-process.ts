import { type ChildProcess, fork } from 'node:child_process'

export interface MakerProcessOptions {
  /** Compiled file of the market maker; it is never imported, only run. */
  readonly file: string
  readonly url: string
  /** '' without an operator interface. */
  readonly operatorUrl: string
  readonly operatorToken: string
  /** The process is to end: so does the maker, and nobody waits for it any more. */
  readonly stopping: AbortSignal
  readonly onLine: (line: string) => void
}

/** What it tells us once its session as a quote provider is open, or refused. */
export const providerSettled = 'provider settled'

const restartMillis = 5000
const settledMillisMax = 10_000

/** The paper market maker as a child process: started again when it ends, ended with its parent. */
export class MakerProcess {
  readonly #options: MakerProcessOptions
  #child: ChildProcess | null = null
  #timer: NodeJS.Timeout | null = null
  #isStopped = false
  #settle: () => void = () => {}
  /**
   * Its session as a quote provider is open; or it will not be soon: refused, ended, stopped, or nothing heard for 10 s.
   * A maker that fails keeps nobody from trading.
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

  /** Ends it; its orders stay in the books, as those of any client that goes away. */
  stop(): void {
    this.#isStopped = true
    if (this.#timer) clearTimeout(this.#timer)
    this.#child?.kill('SIGTERM')
    this.#settle()
  }

  #start(): void {
    const { file, url, operatorUrl, operatorToken, onLine } = this.#options
    const child = fork(file, [], {
      // Its channel to us ends when we do, however we do; standard output belongs to us alone.
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      execArgv: [],
      env: {
        ...process.env,
        MAKER_URL: url,
        MAKER_OPERATOR_URL: operatorUrl,
        MAKER_OPERATOR_TOKEN: operatorToken,
        // It speaks to its own parent, whose certificate is made for the name that others know it by.
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
