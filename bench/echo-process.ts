import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

const serverFile = join(import.meta.dirname, 'echo-server.js')

/** A bare uWebSockets.js server that sends frames back, in a process of its own. */
export class EchoProcess {
  readonly url: string
  readonly #child: ChildProcess

  private constructor(child: ChildProcess, port: number) {
    this.#child = child
    this.url = `ws://127.0.0.1:${port}/`
  }

  /** @param recovers whether each frame costs one signature recovery. */
  static async start({ recovers }: { readonly recovers: boolean }): Promise<EchoProcess> {
    const child = fork(serverFile, recovers ? ['--recover'] : [])
    const [port] = (await once(child, 'message')) as [number]
    return new EchoProcess(child, port)
  }

  async end(): Promise<void> {
    const exited = once(this.#child, 'exit')
    this.#child.disconnect()
    await exited
  }
}
