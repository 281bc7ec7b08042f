import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { verbs } from '../gateway/command-line/verbs.js'

/**
 * Names that a README may use: paths from the root, entries and scripts of package.json, verbs of the command, and
 * identifiers.
 */
export interface NamedThings {
  readonly paths: readonly string[]
  /** Names by which other projects import the package. */
  readonly entries: readonly string[]
  readonly scripts: readonly string[]
  readonly verbs: readonly string[]
  readonly names: ReadonlySet<string>
}

const rootReadme = 'README.md'
/** The root README is read first, so it stays short: details are in the README of their module. */
const rootBytesMax = 16_384
const rootLinesMax = 250
/** Sections of the README of a package, in their order. */
const sections = [
  'Purpose',
  'Picture',
  'Main types, in reading order',
  'Rules that must hold',
  'How to change it',
]
const packageLinesMax = 120
/** Fewest source files with which a folder directly below a top-level folder needs a README. */
const packageFilesMin = 5
/** The same for deeper folders, which the README of their package describes otherwise. */
const innerFilesMin = 40
/** Top-level folders, each a package of its own. */
const topFolders = ['schemas', 'engine', 'gateway', 'bench', 'test', 'scripts']
/** README files of another form, each with the reason. A path that ends in a slash names all files below a folder. */
export const otherForms: Readonly<Record<string, string>> = {
  [rootReadme]: 'the project: limits of length of its own',
  'bench/README.md': 'figures of every suite',
  'scripts/client-package/README.md': 'first page of the published client',
  'scripts/deploy/': 'guides for operators',
}
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
/** Drawing or program within a text. */
const fencedPart = /^```[\s\S]*?^```$/gm
const notOurs = /^(?:\.|node_modules$|data$|dist)/

/**
 * Returns a sentence for each name and link of a Markdown file that leads nowhere, for each README of another form or
 * length than it must have, and for each package without a README.
 * @param root folder of package.json.
 * @param sources source texts, whose identifiers may be named.
 */
export function readmeFailures(root: string, sources: readonly string[]): readonly string[] {
  const paths = pathsOf(root)
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const names = new Set(sources.flatMap((text) => text.match(codeName) ?? []))
  const scripts = Object.keys(manifest.scripts)
  const entries = Object.keys(manifest.exports).map((entry) => join(manifest.name, entry))
  const things = { paths, entries, scripts, verbs: verbs.map(({ name }) => name), names }
  const pages = paths
    .filter((path) => path.endsWith('.md'))
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
  return [
    ...pages.flatMap(({ path, text }) => [
      ...missingNames(path, text, things),
      ...missingLinks(path, text, paths),
      ...(path === rootReadme ? lengthFailures(text) : formFailures(path, text)),
    ]),
    ...missingReadmes(paths),
    ...staleForms(paths),
  ]
}

/** Returns the ways in which the README of a package differs from the form that all of them have. */
export function formFailures(path: string, text: string): readonly string[] {
  if (!isReadme(path) || hasOtherForm(path)) return []
  const lines = text.split('\n').length - 1
  const found = [...text.replace(fencedPart, '').matchAll(/^## (.*)$/gm)].map(([, name]) => name!)
  const wanted = sections.map((name) => `## ${name}`).join(', ')
  return [
    ...(found.join('\n') === sections.join('\n')
      ? []
      : [`${path} has the sections ${found.join(', ') || 'none'}: use ${wanted}, in this order`]),
    ...(lines > packageLinesMax
      ? [
          `${path} has ${lines} lines; at most ${packageLinesMax} are allowed: move rules to the folder they are about`,
        ]
      : []),
  ]
}

/** Returns a sentence for each package without a README. A folder of tests that mirrors a source folder needs none. */
export function missingReadmes(paths: readonly string[]): readonly string[] {
  const sources = paths.filter((path) => /\.tsx?$/.test(path) && !path.includes('/generated/'))
  const folders = new Set(sources.flatMap((path) => foldersAbove(path)))
  return [...folders]
    .filter((folder) => needsReadme(folder, sources))
    .filter((folder) => !paths.includes(join(folder, 'README.md')))
    .sort()
    .map((folder) => `${folder}/ has no README.md: write one with the sections of the others`)
}

function needsReadme(folder: string, sources: readonly string[]): boolean {
  const [top, ...inner] = folder.split('/')
  if (!topFolders.includes(top!)) return false
  if (top === 'test' && topFolders.includes(inner[0] ?? '')) return false
  if (inner.length === 0) return true
  const files = sources.filter((path) => path.startsWith(`${folder}/`))
  if (inner.length === 1) return files.length >= packageFilesMin
  return files.filter((path) => dirname(path) === folder).length >= innerFilesMin
}

/** Returns a sentence for each exception whose file or folder is gone. */
function staleForms(paths: readonly string[]): readonly string[] {
  return Object.keys(otherForms)
    .filter((form) => !paths.includes(form.replace(/\/$/, '')))
    .map((form) => `scripts/readme-check.ts excepts ${form}, which does not exist: delete the row`)
}

function hasOtherForm(path: string): boolean {
  return Object.keys(otherForms).some(
    (form) => path === form || (form.endsWith('/') && path.startsWith(form)),
  )
}

function isReadme(path: string): boolean {
  return path === rootReadme || path.endsWith(`/${rootReadme}`)
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
  const missingPaths = [...namedPaths(text)]
    .filter((name) => !things.entries.includes(name))
    .filter((name) => !isThere(name, folder, things.paths))
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
