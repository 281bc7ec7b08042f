import { spawnSync } from 'node:child_process'
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'

// Packs the client as a package of its own, `strikebook-client`: one module with all of its own code, declarations, and
// three dependencies. `npm run pack:client -- --pack-destination /tmp` takes the options of `npm pack`.

const root = join(import.meta.dirname, '../../..')
const dist = join(root, 'dist')
const entry = 'gateway/client/index'
/** Packages that the client imports at run time; `ws` only in Node. */
const imported = ['@noble/curves', '@noble/hashes', 'ws']
const importPattern = /(?:\bfrom |\bimport\()["'](\.[^"']+)\.js["']/g

/** Replaces `folder` by the files of the package, made of the last build. */
export async function stageClient(folder: string): Promise<void> {
  rmSync(folder, { recursive: true, force: true })
  for (const path of declarationsOf(`${entry}.d.ts`)) {
    cpSync(join(dist, path), join(folder, 'types', path))
  }
  for (const name of await bundle(join(folder, 'index.js'))) {
    const license = join(root, 'node_modules', name, 'LICENSE')
    cpSync(license, join(folder, 'licenses', `${name.replace('/', '-')}.txt`))
  }
  // For CommonJS: Node can require an ES module, but its declarations need their own entry.
  writeFileSync(join(folder, 'index.cjs'), "module.exports = require('./index.js')\n")
  writeFileSync(join(folder, 'index.d.cts'), `export * from './types/${entry}.js'\n`)
  cpSync(join(root, 'LICENSE'), join(folder, 'LICENSE'))
  cpSync(join(root, 'scripts/client-package/README.md'), join(folder, 'README.md'))
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest(), null, 2)}\n`)
}

/** Returns the names of the packages that the bundle contains. */
async function bundle(outfile: string): Promise<ReadonlySet<string>> {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: [join(dist, `${entry}.js`)],
    outfile,
    bundle: true,
    platform: 'neutral',
    mainFields: ['module', 'main'],
    format: 'esm',
    target: 'es2022',
    // Deno asks for a permission before code may read the environment.
    define: { 'process.env.STRIKEBOOK_VERIFY': 'undefined' },
    external: imported.flatMap((name) => [name, `${name}/*`]),
    metafile: true,
    logLevel: 'warning',
  })
  const paths = Object.keys(metafile.inputs).filter((path) => path.startsWith('node_modules/'))
  return new Set(paths.map((path) => /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)![1]!))
}

/** Returns the paths of a declaration and of all that it imports, from the folder of the build. */
function declarationsOf(path: string, found: Set<string> = new Set()): ReadonlySet<string> {
  if (found.has(path)) return found
  found.add(path)
  for (const [, target] of readFileSync(join(dist, path), 'utf8').matchAll(importPattern)) {
    declarationsOf(join(dirname(path), `${target}.d.ts`), found)
  }
  return found
}

function manifest(): object {
  const { version, license, engines, dependencies } = JSON.parse(
    readFileSync(join(root, 'package.json'), 'utf8'),
  )
  const [types, main] = [`./types/${entry}.d.ts`, './index.js']
  const required = { types: './index.d.cts', default: './index.cjs' }
  return {
    name: 'strikebook-client',
    version,
    description: 'Client of the options exchange Strikebook, for browsers, Node, Deno and Bun',
    ...{ license, type: 'module', sideEffects: false, main, types },
    exports: {
      '.': { require: required, types, default: main },
      './package.json': './package.json',
    },
    engines,
    dependencies: Object.fromEntries(imported.map((name) => [name, dependencies[name]])),
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const folder = join(dist, 'strikebook-client')
  await stageClient(folder)
  const words = ['pack', `./${relative(root, folder)}`, ...process.argv.slice(2)]
  process.exitCode = spawnSync('npm', words, { cwd: root, stdio: 'inherit' }).status ?? 1
}
