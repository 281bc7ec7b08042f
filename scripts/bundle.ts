import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { pagePartPrefix } from '../gateway/documents/app-pages.js'
import { type Bundler, buildPages, buildWhole, findPackage } from './bundle-pages.js'
import { writeGuides } from './render-guides.js'

// Second half of a build: renders the guides, and replaces each entry file of a thread or process by a bundle of all its modules. Modules that
// are loaded later become parts next to it. Without bundles Node spends half of a start on finding, reading and linking
// about a thousand modules. Without the bundler the venue is the same, but starts more slowly.

/** Entry files of threads and processes by folder. `gateway/main.ts` is not bundled: it checks Node before it loads more. */
const entries: Readonly<Record<string, readonly string[]>> = {
  'engine/threads': ['core-thread', 'journal-thread', 'matcher-thread', 'snapshot-thread'],
  gateway: ['gateway-thread', 'run'],
  'gateway/push': ['push-thread'],
  'gateway/read-model': ['read-model-thread'],
  'gateway/read-model/history': ['history-check', 'history-query-worker', 'history-thread'],
  'gateway/maker': ['market-maker', 'provider-thread'],
  scripts: ['fuzz'],
}

/** Packages that find binaries or workers next to their own files, and a large one that is only a fallback. */
const external = [
  ...['@bitauth/libauth', 'libsql', 'pino', 'piscina', 'secp256k1', 'uWebSockets.js', 'web-push'],
]
/** CommonJS packages `require` Node's modules at run time. */
const banner =
  "import { createRequire as requireFrom } from 'node:module'\nconst require = requireFrom(import.meta.url)"

interface LoadHooks {
  onLoad(
    files: { readonly filter: RegExp },
    load: (file: { readonly path: string }) => { contents: string; loader: 'ts' } | undefined,
  ): void
}

/** Prefix of the files that an entry loads later. */
const partPrefix = 'part-'
const partMillisMax = 7 * 86_400_000
const bundlerName: string = 'esbuild'
const root = join(import.meta.dirname, '../..')

await writeGuides(root)
const bundler = await findPackage<Bundler>(bundlerName)
if (bundler === null) {
  const consequence = 'threads load their modules one by one, and there are no pages at /app'
  process.stderr.write(`without ${bundlerName} ${consequence}
`)
} else {
  const threads = Object.entries(entries).flatMap(([folder, names]) =>
    names.map((name) => bundle(bundler, folder, name)),
  )
  await Promise.all([...threads, buildPages(bundler, root)])
  for (const folder of Object.keys(entries)) removeOldParts(folder, partPrefix)
  removeOldParts('gateway/web', pagePartPrefix)
}

/** Bundles an entry. Modules that are imported dynamically stay separate parts, so that a start does not load them. */
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
    plugins: [
      { name: 'places', setup: (loads: LoadHooks) => keepPlaces(loads, join(root, folder)) },
    ],
    logLevel: 'warning',
  })
}

/** Removes parts older than a week. Names contain a content hash, so a running venue can still load older parts. */
function removeOldParts(folder: string, prefix: string): void {
  const place = join(root, 'dist', folder)
  for (const name of readdirSync(place).filter((file) => file.startsWith(prefix))) {
    const file = join(place, name)
    if (Date.now() - statSync(file).mtimeMs > partMillisMax) rmSync(file)
  }
}

/** Rewrites `import.meta.url`, so that a bundled module still resolves files relative to its own folder. */
function keepPlaces({ onLoad }: LoadHooks, folder: string): void {
  onLoad({ filter: /\.ts$/ }, ({ path }) => {
    const text = readFileSync(path, 'utf8')
    if (!text.includes('import.meta.url')) return undefined
    const place = relative(folder, path).replace(/\.ts$/, '.js')
    const url = `new URL(${JSON.stringify(`./${place}`)}, import.meta.url).href`
    return { contents: text.replaceAll('import.meta.url', url), loader: 'ts' }
  })
}
