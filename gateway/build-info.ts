import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { BuildInfo } from './link/gateway-context.js'

const unknown = 'unknown'

/** What GET /version says: the package's version, and the commit of a checkout; both unknown without. */
export function readBuildInfo(compiledFile: string): BuildInfo {
  const root = findRoot(dirname(compiledFile))
  const { ref, commit } = readHead(join(root, '.git'))
  return {
    version: readVersion(join(root, 'package.json')),
    commit,
    ref,
    buildTime: statSync(compiledFile).mtime.toISOString(),
  }
}

function findRoot(from: string): string {
  let folder = from
  while (!existsSync(join(folder, 'package.json')) && dirname(folder) !== folder) {
    folder = dirname(folder)
  }
  return folder
}

function readVersion(path: string): string {
  const text = readText(path)
  return text === null ? unknown : String(JSON.parse(text).version)
}

function readHead(folder: string): { ref: string; commit: string } {
  const head = readText(join(folder, 'HEAD'))?.trim()
  if (head === undefined) return { ref: unknown, commit: unknown }
  if (!head.startsWith('ref: ')) return { ref: unknown, commit: head }
  const ref = head.slice('ref: '.length)
  return { ref, commit: readText(join(folder, ref))?.trim() ?? unknown }
}

function readText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return null // no such file: a package without its repository
  }
}
