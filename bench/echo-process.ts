import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

const serverFile = join(import.meta.dirname, 'echo-server.js')

/** Bare echo server in its own process. */
export class EchoProcess {
  readonly url: string
  readonly #child: ChildProcess

  private constructor(child: ChildProcess, url: string) {
    this.#child = child
    this.url = url
  }

  /** @param recovers true to recover one signature per frame. */
  static async start({ recovers }: { readonly recovers: boolean }): Promise<EchoProcess> {
    const child = fork(serverFile, recovers ? ['--recover'] : [])
    const [url] = (await once(child, 'message')) as [string]
    return new EchoProcess(child, url)
  }

  async end(): Promise<void> {
    const exited = once(this.#child, 'exit')
    this.#child.disconnect()
    await exited
  }
}
