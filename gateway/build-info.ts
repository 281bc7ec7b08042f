import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { BuildInfo } from './link/gateway-context.js'

const unknown = 'unknown'

/** Returns the answer of GET /version: the package's version, and the commit of a checkout; `unknown` if missing. */
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

/** Reads branch and commit. @param dotGit folder of the repository, or the file of a linked working tree. */
function readHead(dotGit: string): { ref: string; commit: string } {
  const elsewhere = readText(dotGit)?.match(/^gitdir: (.+)$/m)?.[1]
  const folder = elsewhere === undefined ? dotGit : resolve(dirname(dotGit), elsewhere)
  const head = readText(join(folder, 'HEAD'))?.trim()
  if (head === undefined) return { ref: unknown, commit: unknown }
  if (!head.startsWith('ref: ')) return { ref: unknown, commit: head }
  const ref = head.slice('ref: '.length)
  // Branches are in the folder of the repository, which may differ from that of the working tree.
  const shared = resolve(folder, readText(join(folder, 'commondir'))?.trim() ?? '.')
  const commit = readText(join(shared, ref))?.trim() ?? packedCommit(shared, ref)
  return { ref, commit: commit ?? unknown }
}

/** Returns the commit of a branch that git has packed with others into one file. */
function packedCommit(folder: string, ref: string): string | undefined {
  const lines = readText(join(folder, 'packed-refs'))?.split('\n') ?? []
  return lines.find((line) => line.endsWith(` ${ref}`))?.split(' ')[0]
}

function readText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return null // no such file: a package without its repository
  }
}
