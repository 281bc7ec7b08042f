import { spawn } from 'node:child_process'
import { rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pagePartPrefix } from '../gateway/documents/app-pages.js'

/** Part of the bundler's interface that is used. The bundler is an optional package. */
export interface Bundler {
  build(options: Readonly<Record<string, unknown>>): Promise<{
    readonly outputFiles?: readonly {
      readonly path: string
      readonly contents: Uint8Array
    }[]
  }>
}

/** Packages of the pages. A venue loads none of them. */
const pagePackages = ['preact', '@preact/signals', 'uplot']
const source = 'gateway/web'
/** Builds. The public page is split: views that few people open are separate files, loaded on demand. */
const builds = [
  { entries: ['pages.tsx'], splitting: true, chunkNames: `${pagePartPrefix}[name]-[hash]` },
  {
    entries: ['pages.css', 'operator.tsx', 'operator.css', 'demo-signing.ts'],
    splitting: false,
  },
]

/** Imports an optional package; null if it is not installed. */
export async function findPackage<Package>(name: string): Promise<Package | null> {
  try {
    return (await import(name)) as Package
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND') return null
    throw error
  }
}

/**
 * Builds the pages below `/app/` of the public and the operator port: a script and a style sheet each. Checks their types
 * at the same time. If one of their packages is missing, removes the pages of an earlier build, and the venue serves a
 * note instead.
 * @throws Error if the pages have type errors.
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
 * Builds, then renames each complete file into place, parts before the entries that load them. A venue that starts
 * between two writes would run a half-written file without an error.
 */
export async function buildWhole(
  build: Bundler['build'],
  options: Readonly<Record<string, unknown>>,
): Promise<void> {
  const { outputFiles = [] } = await build({ ...options, write: false })
  const isPart = (path: string) => /-[0-9A-Z]{8}\.js$/.test(path)
  const parts = outputFiles.filter(({ path }) => isPart(path))
  for (const { path, contents } of [...parts, ...outputFiles.filter(({ path }) => !isPart(path))]) {
    // Concurrent builds write the same parts, so each uses its own temporary name.
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
    // The client imports it only in Node.
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
      else reject(new Error('the pages have type errors'))
    })
  })
}
