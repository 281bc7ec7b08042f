import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { pagePartPrefix } from '../gateway/documents/app-pages.js'
import { type Bundler, buildPages, buildWhole, findPackage } from './bundle-pages.js'

// The second half of a build: what a thread or process of the venue begins with is one file with all of its modules,
// where the compiler has put the entry alone, and parts beside it for what it may load later. Node spends half of a start
// on finding, reading and linking some thousand modules. Whoever has no bundler has the same venue with a slower start.

/** What threads and processes begin with, by folder, beside `gateway/main.ts`, which may not load anything at first. */
const entries: Readonly<Record<string, readonly string[]>> = {
  'engine/threads': ['core-thread', 'journal-thread', 'matcher-thread', 'snapshot-thread'],
  gateway: ['gateway-thread', 'run'],
  'gateway/push': ['push-thread'],
  'gateway/read-model': ['read-model-thread'],
  'gateway/read-model/history': ['history-check', 'history-query-worker', 'history-thread'],
  'gateway/maker': ['market-maker', 'provider-thread'],
  scripts: ['fuzz'],
}

/** Packages that find binaries or workers of their own beside themselves; one that is large, and loaded where all else fails. */
const external = [
  ...['@bitauth/libauth', 'libsql', 'pino', 'piscina', 'secp256k1', 'uWebSockets.js', 'web-push'],
]
/** Packages of the older kind ask for Node's modules at run time. */
const banner =
  "import { createRequire as requireFrom } from 'node:module'\nconst require = requireFrom(import.meta.url)"

interface Loads {
  onLoad(
    files: { readonly filter: RegExp },
    load: (file: { readonly path: string }) => { contents: string; loader: 'ts' } | undefined,
  ): void
}

/** Begins the name of a file that an entry loads later, beside it. */
const partPrefix = 'part-'
const partMillisMax = 7 * 86_400_000
const bundlerName: string = 'esbuild'
const root = join(import.meta.dirname, '../..')

const bundler = await findPackage<Bundler>(bundlerName)
if (bundler === null) {
  const lost = 'threads load their modules one by one, and there are no pages at /app'
  process.stderr.write(`without ${bundlerName} ${lost}
`)
} else {
  const threads = Object.entries(entries).flatMap(([folder, names]) =>
    names.map((name) => bundle(bundler, folder, name)),
  )
  await Promise.all([...threads, buildPages(bundler, root)])
  for (const folder of Object.keys(entries)) removeOldParts(folder, partPrefix)
  removeOldParts('gateway/web', pagePartPrefix)
}

/** What an entry asks for at run time only, or never, stays a part of its own: in one file it would be loaded by all. */
function bundle({ build }: Bundler, folder: string, name: string): Promise<void> {
  return buildWhole(build, {
    absWorkingDir: root,
    entryPoints: [join(folder, `${name}.ts`)],
    outbase: folder,
    outdir: join('dist', folder),
    allowOverwrite: true,
    bundle: true,
    splitting: true,
    chunkNames: `${partPrefix}[name]-[hash]`,
    mainFields: ['module', 'main'],
    platform: 'node',
    format: 'esm',
    external,
    banner: { js: banner },
    plugins: [{ name: 'places', setup: (loads: Loads) => keepPlaces(loads, join(root, folder)) }],
    logLevel: 'warning',
  })
}

/** Parts are named by what they hold: those of earlier builds stay while a venue may run that has yet to load them. */
function removeOldParts(folder: string, prefix: string): void {
  const place = join(root, 'dist', folder)
  for (const name of readdirSync(place).filter((file) => file.startsWith(prefix))) {
    const file = join(place, name)
    if (Date.now() - statSync(file).mtimeMs > partMillisMax) rmSync(file)
  }
}

/** Modules that name files beside themselves still mean these when they stand in one of another folder. */
function keepPlaces({ onLoad }: Loads, folder: string): void {
  onLoad({ filter: /\.ts$/ }, ({ path }) => {
    const text = readFileSync(path, 'utf8')
    if (!text.includes('import.meta.url')) return undefined
    const place = relative(folder, path).replace(/\.ts$/, '.js')
    const url = `new URL(${JSON.stringify(`./${place}`)}, import.meta.url).href`
    return { contents: text.replaceAll('import.meta.url', url), loader: 'ts' }
  })
}
