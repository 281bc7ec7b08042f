import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { verbs } from '../gateway/command-line/verbs.js'

/** Things that a README may name: paths of files and folders from the root, scripts of package.json, verbs of the command, and names of the code. */
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
/** A path, relative or from the root; routes of the interface begin with a slash and are none. */
const pathForm = /^(?:\.\/)?[\w*][\w.*-]*(?:\/[\w.*-]+)*\/?$/
/** Files of the project wherever they stand, in pictures too. */
const sourceFile = /(?<![\w./*@-])[\w*][\w./*-]*\.(?:ts|fbs)\b/g
/** Of more than one word: nobody takes it for anything but a name of the code. */
const codeName = /(?<![\w$])\w*[a-z\d][A-Z]\w*/g
const builtFile = /\bdist\/([\w./-]+)\.js\b/g
const command = /\bnpm (?:run (?:--silent )?([\w:-]+)|(start|test)\b)/g
/** A line may end between the two words. */
const verbForm = /\bnpx strikebook\s+([a-z]+)/g
/** A link to a file; addresses and headings are not checked. */
const linkForm = /\]\((?![a-z]+:|#)([^)\s#]+)(?:#[^)]*)?\)/g
/** A table whose first column names rooms. */
const roomTable = /^\| (?:Room|Folder) \|.*\n\|[-| ]+\|\n((?:\|.*\n?)+)/gm
/** Folders of a running venue, and that of a build: they are named, and stand nowhere in the project. */
const dataFolders = ['data', 'journal', 'archive', 'dist']
const pathEnd = /\.(?:ts|fbs|md|js|db)$/
const notOurs = /^(?:\.|node_modules$|data$|dist)/

/**
 * Returns a sentence for each name and link of a Markdown file that leads nowhere, and for a root README that is too long.
 * @param root folder of package.json.
 * @param sources texts in which names of the code stand.
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

/** Returns what is too long about the root README. */
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

/** What one README names and is not there. */
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

/** Each path that the text names, once. */
function namedPaths(text: string): ReadonlySet<string> {
  const words = wordsOf(text).filter((word) => pathForm.test(word) && word.includes('/'))
  const rooms = [...text.matchAll(roomTable)].flatMap(([, rows]) =>
    rows!.split('\n').flatMap((row) => wordsOf(row.split('|')[1] ?? '')),
  )
  const files = [...text.matchAll(sourceFile)].map(([name]) => name)
  const built = [...text.matchAll(builtFile)].map(([, name]) => `${name}.ts`)
  return new Set([...words, ...rooms, ...files, ...built])
}

/** Names of the code in the text, with those that they are members of. */
function codeNames(text: string): readonly string[] {
  return wordsOf(text)
    .filter((word) => /^#?[A-Za-z][\w.]*$/.test(word) && !pathEnd.test(word))
    .flatMap((word) => word.match(codeName) ?? [])
}

function wordsOf(text: string): string[] {
  return [...text.matchAll(quotedWord)].map(([, word]) => word!)
}

/**
 * A path counts from the README's folder, from each one above it, or from the folder of its tests. A name alone may also
 * stand further down, in a room of the README's own.
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

/** `*` is any part of one name, `**` any folders. */
function patternOf(path: string): RegExp {
  const source = path.replaceAll('.', '\\.').replaceAll('**', '.+').replaceAll('*', '[^/]*')
  return new RegExp(`^${source}$`)
}

/** Files and folders of the project, from its root; not what is installed, built or stored there. */
function pathsOf(root: string): readonly string[] {
  return readdirSync(root, { withFileTypes: true })
    .filter(({ name }) => !notOurs.test(name))
    .flatMap((top) => {
      if (!top.isDirectory()) return [top.name]
      const below = readdirSync(join(root, top.name), { recursive: true, encoding: 'utf8' })
      return [top.name, ...below.map((path) => join(top.name, path))]
    })
}
