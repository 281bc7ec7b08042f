import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Folder of package.json, found upwards from the compiled file: `dist` may have any name. */
export const projectRoot: string = findRoot(import.meta.dirname)

/** Returns the absolute path of a file given relative to the project's root. */
export function projectPath(relativePath: string): string {
  return join(projectRoot, relativePath)
}

/** Parses a JSON file of the project; `T` is the caller's claim about its shape. */
export function readProjectJson<T>(relativePath: string): T {
  return JSON.parse(readFileSync(projectPath(relativePath), 'utf8')) as T
}

function findRoot(from: string): string {
  let folder = from
  while (!existsSync(join(folder, 'package.json'))) {
    const parent = dirname(folder)
    if (parent === folder) throw new Error(`no package.json above ${from}`)
    folder = parent
  }
  return folder
}
