import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { assetTypes, ownParts, type Page, startPart } from './reference-pages.js'

/** Returns the parts of the page of an HTTP document, by name. Each is read at its first request. */
export function pageParts(): Map<string, () => Promise<Page>> {
  return new Map<string, () => Promise<Page>>([
    [ownParts.start, async () => startPart],
    ...Object.entries(assetTypes).map(([name, type]) => {
      const part = once(async () => ({ ...startPart, type, body: await readAsset(name) }))
      return [name, part] as const
    }),
  ])
}

/** Returns a function that calls `make` at most once. */
export function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | null = null
  return () => (made ??= make())
}

/** Reads an asset of the installed library. Nothing is fetched from the network. */
function readAsset(name: string): Promise<Uint8Array> {
  return readFile(createRequire(import.meta.url).resolve(`swagger-ui-dist/${name}`))
}
