import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { countCodeLines } from './source-text.js'

// `node dist/scripts/count-lines.js` counts lines of code of the product by folder, without blanks, comments and generated
// files. With a folder it counts another working tree.

const modules = ['engine', 'gateway', 'schemas']
/** Folders of generated code, which are listed as one. */
const generated = 'generated'
const root = process.argv[2] ?? '.'

const linesByFolder = new Map<string, number>()
for (const module of modules) {
  for (const entry of readdirSync(join(root, module), { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !/\.tsx?$/.test(entry.name)) continue
    const path = join(entry.parentPath, entry.name)
    const lines = countCodeLines(readFileSync(path, 'utf8'))
    for (const folder of foldersOf(relative(root, entry.parentPath))) {
      linesByFolder.set(folder, (linesByFolder.get(folder) ?? 0) + lines)
    }
  }
}
for (const folder of [...linesByFolder.keys()].filter(isListed).sort()) write(folder)
process.stdout.write(`${column(modules.reduce((sum, module) => sum + linesOf(module), 0))}  sum\n`)
write(generated, ', not counted')

/** Returns the module and its subfolder; generated code counts separately. */
function foldersOf(folder: string): readonly string[] {
  if (folder.split(sep).includes(generated)) return [generated]
  const [module = '', inner] = folder.split(sep)
  return inner === undefined ? [module] : [module, join(module, inner)]
}

function isListed(folder: string): boolean {
  return folder !== generated
}

function linesOf(folder: string): number {
  return linesByFolder.get(folder) ?? 0
}

function write(folder: string, remark = ''): void {
  process.stdout.write(`${column(linesOf(folder))}  ${folder}${remark}\n`)
}

function column(lines: number): string {
  return String(lines).padStart(7)
}
