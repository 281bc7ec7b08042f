import { spawn } from 'node:child_process'
import { rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pagePartPrefix } from '../gateway/documents/app-pages.js'

/** What is used of the bundler, which need not be there. */
export interface Bundler {
  build(options: Readonly<Record<string, unknown>>): Promise<{
    readonly outputFiles?: readonly {
      readonly path: string
      readonly contents: Uint8Array
    }[]
  }>
}

/** What the pages are made with; none of it is loaded by a venue. */
const pagePackages = ['preact', '@preact/signals', 'uplot']
const source = 'gateway/web'
/** By build: of the page for everybody, what a view needs that few open is a part beside it, loaded when it is opened. */
const builds = [
  { entries: ['pages.tsx'], splitting: true, chunkNames: `${pagePartPrefix}[name]-[hash]` },
  {
    entries: ['pages.css', 'operator.tsx', 'operator.css', 'demo-signing.ts'],
    splitting: false,
  },
]

/** A package that may be left out of an installation, or null where it was. */
export async function findPackage<Package>(name: string): Promise<Package | null> {
  try {
    return (await import(name)) as Package
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND') return null
    throw error
  }
}

/**
 * Makes the pages that are served below `/app/`, of the public port and of the operator's: a script and a style each, checked by the compiler meanwhile. Without
 * one of their packages there are none, not even those of an earlier build, and the venue says so where they would be.
 */
export async function buildPages({ build }: Bundler, root: string): Promise<void> {
  const found = await Promise.all(pagePackages.map((name) => findPackage(name)))
  const missing = pagePackages.filter((_, index) => found[index] === null)
  if (missing.length > 0) {
    process.stderr.write(`without ${missing.join(', ')} there are no pages at /app\n`)
    for (const name of builds.flatMap(({ entries }) => entries))
      await rm(join(root, 'dist', source, name.replace(/\.tsx?$/, '.js')), { force: true })
    return
  }
  const bundled = builds.map(({ entries, ...parts }) =>
    buildWhole(build, {
      ...optionsOf(root),
      ...parts,
      entryPoints: entries.map((name) => `${source}/${name}`),
    }),
  )
  await Promise.all([...bundled, checkTypes(root)])
}

let filesWritten = 0

/**
 * Builds, then puts each file in its place whole, the parts before the entries that load them. A venue that starts
 * meanwhile would run an empty file without an error.
 */
export async function buildWhole(
  build: Bundler['build'],
  options: Readonly<Record<string, unknown>>,
): Promise<void> {
  const { outputFiles = [] } = await build({ ...options, write: false })
  const isPart = (path: string) => /-[0-9A-Z]{8}\.js$/.test(path)
  const parts = outputFiles.filter(({ path }) => isPart(path))
  for (const { path, contents } of [...parts, ...outputFiles.filter(({ path }) => !isPart(path))]) {
    // Entries share parts and are built at the same time: each writes a file of its own.
    const unfinished = `${path}.${process.pid}-${++filesWritten}.unfinished`
    await writeFile(unfinished, contents)
    await rename(unfinished, path)
  }
}

function optionsOf(root: string): Readonly<Record<string, unknown>> {
  return {
    absWorkingDir: root,
    outdir: join('dist', source),
    bundle: true,
    minify: true,
    platform: 'browser',
    format: 'esm',
    target: 'es2022',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    // The client takes it where it finds Node alone.
    external: ['ws'],
    legalComments: 'inline',
    logLevel: 'warning',
  }
}

function checkTypes(root: string): Promise<void> {
  const compiler = join(root, 'node_modules/typescript/bin/tsc')
  return new Promise((resolve, reject) => {
    const check = spawn(process.execPath, [compiler, '-p', 'tsconfig.web.json'], {
      cwd: root,
      stdio: ['ignore', 'inherit', 'inherit'],
    })
    check.once('error', reject)
    check.once('exit', (code) => {
      if (code === 0) resolve()
      else reject(new Error('the pages have errors of type'))
    })
  })
}
