import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { verbs } from '../gateway/command-line/verbs.js'

/** Names that a README may use: paths from the root, scripts of package.json, verbs of the command, and identifiers. */
export interface NamedThings {
  readonly paths: readonly string[]
  readonly scripts: readonly string[]
  readonly verbs: readonly string[]
  readonly names: ReadonlySet<string>
}

const rootReadme = 'README.md'
/** The root README is read first, so it stays short: details are in the README of their module. */
const rootBytesMax = 16_384
const rootLinesMax = 250
const quotedWord = /`([^`\s]+)`/g
/** Path, relative or from the root. Routes of the interface begin with a slash and do not match. */
const pathForm = /^(?:\.\/)?[\w*][\w.*-]*(?:\/[\w.*-]+)*\/?$/
/** Source files of the project, also within drawings. */
const sourceFile = /(?<![\w./*@-])[\w*][\w./*-]*\.(?:ts|fbs)\b/g
/** Identifier in camel case, which can only be a name in the code. */
const codeName = /(?<![\w$])\w*[a-z\d][A-Z]\w*/g
const builtFile = /\bdist\/([\w./-]+)\.js\b/g
const command = /\bnpm (?:run (?:--silent )?([\w:-]+)|(start|test)\b)/g
/** Verb of the command. A line may break between the words. */
const verbForm = /\bnpx strikebook\s+([a-z]+)/g
/** Link to a file. URLs and headings are not checked. */
const linkForm = /\]\((?![a-z]+:|#)([^)\s#]+)(?:#[^)]*)?\)/g
/** Table whose first column names folders. */
const folderTable = /^\| (?:Room|Folder) \|.*\n\|[-| ]+\|\n((?:\|.*\n?)+)/gm
/** Folders of a running venue and of a build, which are not part of the project. */
const dataFolders = ['data', 'journal', 'archive', 'dist']
const pathEnd = /\.(?:ts|fbs|md|js|db)$/
const notOurs = /^(?:\.|node_modules$|data$|dist)/

/**
 * Returns a sentence for each name and link of a Markdown file that leads nowhere, and for a root README that is too long.
 * @param root folder of package.json.
 * @param sources source texts, whose identifiers may be named.
 */
export function readmeFailures(root: string, sources: readonly string[]): readonly string[] {
  const paths = pathsOf(root)
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const names = new Set(sources.flatMap((text) => text.match(codeName) ?? []))
  const scripts = Object.keys(manifest.scripts)
  const things = { paths, scripts, verbs: verbs.map(({ name }) => name), names }
  const pages = paths
    .filter((path) => path.endsWith('.md'))
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
  return pages.flatMap(({ path, text }) => [
    ...missingNames(path, text, things),
    ...missingLinks(path, text, paths),
    ...(path === rootReadme ? lengthFailures(text) : []),
  ])
}

/** Returns the limits of length that the root README exceeds. */
export function lengthFailures(text: string): readonly string[] {
  const bytes = Buffer.byteLength(text)
  const lines = text.split('\n').length - 1
  const advice = 'move details to the README of their module'
  return [
    ...(bytes > rootBytesMax
      ? [`${rootReadme} has ${bytes} bytes; at most ${rootBytesMax} are allowed: ${advice}`]
      : []),
    ...(lines > rootLinesMax
      ? [`${rootReadme} has ${lines} lines; at most ${rootLinesMax} are allowed: ${advice}`]
      : []),
  ]
}

/** Returns a sentence for each relative link to a file that does not exist. */
export function missingLinks(
  path: string,
  text: string,
  paths: readonly string[],
): readonly string[] {
  return [...text.matchAll(linkForm)]
    .map(([, target]) => target!)
    .filter((target) => !paths.includes(join(dirname(path), target)))
    .map((target) => `${path} links to ${target}, which does not exist: link to an existing file`)
}

/** Returns a sentence for each name in a README that does not exist. */
export function missingNames(path: string, text: string, things: NamedThings): readonly string[] {
  const folder = dirname(path)
  const missingPaths = [...namedPaths(text)].filter((name) => !isThere(name, folder, things.paths))
  const commands = [...text.matchAll(command)].map(([, script, short]) => script ?? short!)
  const named = [...text.matchAll(verbForm)].map(([, verb]) => verb!)
  const missingVerbs = named.filter((verb) => !things.verbs.includes(verb))
  const missingCode = new Set(codeNames(text).filter((name) => !things.names.has(name)))
  const missingScripts = commands.filter((script) => !things.scripts.includes(script))
  return [
    ...missingPaths.map((name) => `${path} names ${name}, which is not there: name what is`),
    ...[...missingCode].map(
      (name) => `${path} names ${name}, which no code has: name what it is now`,
    ),
    ...missingScripts.map((name) => `${path} has npm run ${name}, which is no script: name one`),
    ...missingVerbs.map((verb) => `${path} has strikebook ${verb}, which is no verb: name one`),
  ]
}

/** Returns the distinct paths in a text. */
function namedPaths(text: string): ReadonlySet<string> {
  const words = wordsOf(text).filter((word) => pathForm.test(word) && word.includes('/'))
  const tableNames = [...text.matchAll(folderTable)].flatMap(([, rows]) =>
    rows!.split('\n').flatMap((row) => wordsOf(row.split('|')[1] ?? '')),
  )
  const files = [...text.matchAll(sourceFile)].map(([name]) => name)
  const built = [...text.matchAll(builtFile)].map(([, name]) => `${name}.ts`)
  return new Set([...words, ...tableNames, ...files, ...built])
}

/** Returns the identifiers in a text, including both sides of a member access. */
function codeNames(text: string): readonly string[] {
  return wordsOf(text)
    .filter((word) => /^#?[A-Za-z][\w.]*$/.test(word) && !pathEnd.test(word))
    .flatMap((word) => word.match(codeName) ?? [])
}

function wordsOf(text: string): string[] {
  return [...text.matchAll(quotedWord)].map(([, word]) => word!)
}

/**
 * Returns true if a path exists. It is resolved from the README's folder, each folder above it, or the folder of its
 * tests. A bare name may also be deeper below the README's folder.
 */
function isThere(name: string, folder: string, paths: readonly string[]): boolean {
  const plain = name.replace(/^\.\//, '').replace(/\/$/, '')
  if (dataFolders.includes(plain.split('/')[0]!)) return true
  const own = [folder, join('test', folder)]
  const isAlone = !plain.includes('/') && folder !== '.'
  const patterns = [
    ...[...own, ...foldersAbove(folder)].map((from) => patternOf(join(from, plain))),
    ...(isAlone ? own.map((from) => patternOf(join(from, '**', plain))) : []),
  ]
  return paths.some((path) => patterns.some((pattern) => pattern.test(path)))
}

function foldersAbove(folder: string): readonly string[] {
  return folder === '.' ? [] : [dirname(folder), ...foldersAbove(dirname(folder))]
}

/** Compiles a pattern: `*` matches within one name, `**` any folders. */
function patternOf(path: string): RegExp {
  const source = path.replaceAll('.', '\\.').replaceAll('**', '.+').replaceAll('*', '[^/]*')
  return new RegExp(`^${source}$`)
}

/** Returns the files and folders of the project from its root, without installed, built or stored data. */
function pathsOf(root: string): readonly string[] {
  return readdirSync(root, { withFileTypes: true })
    .filter(({ name }) => !notOurs.test(name))
    .flatMap((top) => {
      if (!top.isDirectory()) return [top.name]
      const below = readdirSync(join(root, top.name), { recursive: true, encoding: 'utf8' })
      return [top.name, ...below.map((path) => join(top.name, path))]
    })
}
