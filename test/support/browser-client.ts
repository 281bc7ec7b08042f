import { createContext, runInContext } from 'node:vm'
import { build } from 'esbuild'
import { WebSocket } from 'ws'
import { projectPath } from './project.js'

/** `strikebook/client` as a page would load it, with the names of the modules that are in it. */
export interface ClientBundle {
  readonly text: string
  readonly modules: readonly string[]
  /** Modules that are asked for at run time. */
  readonly external: readonly string[]
}

/** Global in a page, beside the language itself; nothing of Node is. */
const webGlobals = {
  ...{ AbortSignal, URL, URLSearchParams, TextEncoder, TextDecoder, fetch, performance, console },
  ...{ setTimeout, clearTimeout, setInterval, clearInterval, crypto: globalThis.crypto },
}

/** Bundles the client for a browser, by the name that it has in `folder`. */
export async function bundleClient(
  name = 'strikebook/client',
  folder = projectPath('.'),
): Promise<ClientBundle> {
  const { outputFiles, metafile } = await build({
    absWorkingDir: folder,
    stdin: { contents: `export * from '${name}'`, resolveDir: folder },
    bundle: true,
    platform: 'browser',
    format: 'iife',
    globalName: 'strikebook',
    write: false,
    metafile: true,
    logLevel: 'silent',
  })
  const inputs = Object.entries(metafile.inputs)
  const external = inputs.flatMap(([, { imports }]) => imports.filter((each) => each.external))
  return {
    text: outputFiles[0]!.text,
    modules: inputs.map(([name]) => name),
    external: external.map(({ path }) => path),
  }
}

/** Runs the body of an async function in a page that has loaded the bundle; `strikebook` and what is given are global. */
export async function runInPage(
  { text }: ClientBundle,
  body: string,
  given: Readonly<Record<string, unknown>>,
): Promise<unknown> {
  const page = createContext({ ...webGlobals, ...given, WebSocket: PageSocket })
  runInContext(text, page)
  const result = await runInContext(`(async () => { ${body} })()`, page)
  // What comes out of another context has prototypes of its own.
  return JSON.parse(JSON.stringify(result))
}

/** What a page's WebSocket has, and no more: this version of Node has none. */
class PageSocket {
  readonly #socket: WebSocket

  constructor(url: string) {
    this.#socket = new WebSocket(url)
  }

  get readyState(): number {
    return this.#socket.readyState
  }

  addEventListener(type: 'open', listener: () => void): void {
    this.#socket.addEventListener(type, listener)
  }

  send(text: string): void {
    this.#socket.send(text)
  }

  close(code?: number): void {
    this.#socket.close(code)
  }
}
