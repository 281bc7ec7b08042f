import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

const serverFile = join(import.meta.dirname, 'echo-server.js')

/** Bare server that returns frames to their sender, in a process of its own. */
export class EchoProcess {
  readonly url: string
  readonly #child: ChildProcess

  private constructor(child: ChildProcess, url: string) {
    this.#child = child
    this.url = url
  }

  /** @param recovers whether each frame costs one signature recovery. */
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
