import { createContext, runInContext } from 'node:vm'
import { build } from 'esbuild'
import { WebSocket } from 'ws'
import { projectPath } from './project.js'

/** `strikebook/client` bundled as for a page, with the names of the modules in it. */
export interface ClientBundle {
  readonly text: string
  readonly modules: readonly string[]
  /** Modules that it imports at run time. */
  readonly external: readonly string[]
}

/** Globals of a page in addition to the language itself, and none of Node's. */
const webGlobals = {
  ...{ AbortSignal, URL, URLSearchParams, TextEncoder, TextDecoder, fetch, performance, console },
  ...{ setTimeout, clearTimeout, setInterval, clearInterval, crypto: globalThis.crypto },
}

/** Bundles the client for a browser, imported by its name from `folder`. */
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

/**
 * Runs the body of an async function in a page that has loaded the bundle. `strikebook` and the `given` values are
 * global.
 */
export async function runInPage(
  { text }: ClientBundle,
  body: string,
  given: Readonly<Record<string, unknown>>,
): Promise<unknown> {
  const page = createContext({ ...webGlobals, ...given, WebSocket: PageSocket })
  runInContext(text, page)
  const result = await runInContext(`(async () => { ${body} })()`, page)
  // Objects from another context have other prototypes.
  return JSON.parse(JSON.stringify(result))
}

/** WebSocket with exactly the members a page has: this version of Node has none. */
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
