import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, normalize, relative } from 'node:path'
import { readmeFailures } from './readme-check.js'
import { withoutComments } from './source-text.js'
import { proseFailures } from './tidy-prose.js'

/** Source file of the project, with its path from the root. */
export interface SourceFile {
  readonly path: string
  readonly text: string
}

const modules = ['schemas', 'engine', 'gateway', 'bench', 'test', 'scripts']
/** Modules that each module may import from, in addition to itself. */
const importsAllowed: Readonly<Record<string, readonly string[]>> = {
  schemas: [],
  engine: ['schemas'],
  gateway: ['schemas', 'engine'],
  bench: ['schemas', 'engine', 'gateway'],
  test: ['schemas', 'engine', 'gateway', 'bench', 'scripts'],
  scripts: ['schemas', 'engine', 'gateway', 'bench', 'test'],
}

const stateBelow = ['memory', 'tables', 'pricing', 'risk', 'matching']
const stateParts = ['orders', 'rfq', 'accounts', 'money', 'market'].map((part) => `state/${part}`)
const state = ['state', ...stateParts, 'state/snapshot']
const coreBelow = [...stateBelow, ...state, 'publish', 'lifecycle', 'rfq', 'journal']
const coreParts = ['steps', 'account', 'operator', 'rfq', 'orders'].map((part) => `core/${part}`)
const core = ['core', ...coreParts]
const queried = ['wire', 'read-model/views', 'read-model/texts']
/** Modules that the request handlers may import from. */
const requestImports = [
  ...['wire', 'auth', 'transport', 'config', 'limits', 'actions', 'link', 'commands'],
  ...['endpoints', 'admission'],
]
/**
 * By package, lowest module first: the package's modules that each module may import from, in addition to itself. A module
 * is a folder at any depth, without the modules inside it. `.` is the files of the package itself.
 */
export const moduleImports: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> =
  {
    engine: {
      memory: [],
      tables: ['memory'],
      pricing: ['memory', 'tables'],
      risk: ['memory', 'pricing', 'tables'],
      matching: ['memory'],
      journal: ['memory'],
      'state/orders': stateBelow,
      'state/rfq': [...stateBelow, 'state/orders'],
      'state/accounts': [...stateBelow, 'state/orders', 'state/rfq'],
      'state/money': stateBelow,
      'state/market': stateBelow,
      state: [...stateBelow, ...stateParts],
      'state/snapshot': [...stateBelow, ...stateParts, 'state'],
      publish: [...stateBelow, ...state],
      lifecycle: [...stateBelow, ...state, 'publish'],
      rfq: [...stateBelow, ...state, 'publish', 'lifecycle'],
      'core/steps': coreBelow,
      'core/account': [...coreBelow, 'core/steps'],
      'core/operator': [...coreBelow, 'core/steps', 'core/account'],
      'core/rfq': [...coreBelow, 'core/steps'],
      'core/orders': [...coreBelow, 'core/steps', 'core/account', 'core/rfq'],
      core: [...coreBelow, ...coreParts],
      invariants: [...stateBelow, ...state],
      threads: ['memory', 'matching', 'journal', ...state, ...core, 'invariants'],
      '.': ['memory', 'journal', ...core, 'threads'],
    },
    gateway: {
      wire: [],
      native: [],
      quotes: ['wire'],
      auth: ['native'],
      transport: ['native'],
      config: ['wire', 'transport'],
      limits: ['wire', 'auth', 'transport', 'config'],
      actions: ['wire', 'auth'],
      link: ['wire', 'quotes', 'actions', 'config', 'limits'],
      commands: ['wire', 'quotes', 'actions', 'link'],
      endpoints: ['wire', 'actions', 'commands'],
      admission: ['wire', 'auth', 'transport', 'limits', 'actions', 'link', 'commands'],
      'read-model/views': ['wire', 'quotes'],
      'read-model/standings': [],
      'read-model/texts': ['read-model/standings', 'wire', 'auth', 'quotes', 'read-model/views'],
      'read-model/history': ['read-model/standings', ...queried, 'link', 'endpoints', 'native'],
      'read-model/feeds': ['read-model/standings', ...queried, 'link', 'quotes'],
      'read-model/routes': [...queried, 'commands', 'quotes', 'read-model/standings'],
      'read-model': [
        ...[...queried, 'link', 'endpoints', 'quotes'],
        ...['read-model/feeds', 'read-model/routes', 'read-model/standings'],
        'read-model/history',
      ],
      client: [],
      http: [...requestImports, 'read-model/texts'],
      ws: [...requestImports, 'quotes', 'read-model/views', 'read-model/texts', 'http'],
      providers: [...requestImports, 'quotes', 'ws'],
      operator: [
        ...['wire', 'auth', 'transport', 'config', 'limits', 'actions', 'link', 'endpoints'],
        ...['read-model/views', 'native'],
      ],
      documents: [
        ...['wire', 'transport', 'config', 'limits', 'actions', 'link', 'commands', 'endpoints'],
        ...['http', 'ws', 'providers', 'operator', 'auth'],
      ],
      push: ['wire', 'config'],
      'web/model': ['client', 'wire', 'read-model/routes'],
      'web/state': ['client', 'wire', 'read-model/history', 'read-model/routes', 'web/model'],
      'web/charts': ['web/model', 'web/state'],
      'web/views': ['client', 'web/model', 'web/state', 'web/charts'],
      web: ['web/state', 'web/views'],
      feeds: ['config', 'operator'],
      rail: ['wire', 'config', 'operator'],
      'command-line': ['wire'],
      machine: ['config'],
      maker: ['wire', 'auth', 'client', 'feeds', 'read-model/routes'],
      '.': [
        ...[...requestImports, 'client', 'read-model', 'read-model/views', 'read-model/history'],
        ...['http', 'ws', 'documents', 'providers', 'operator', 'feeds', 'push', 'rail', 'native'],
        'maker',
      ],
    },
    'test/simulation': {
      run: [],
      published: ['run'],
      disk: ['run'],
      clients: ['run', 'published'],
      process: ['run', 'published', 'disk', 'clients'],
      checks: ['run', 'published', 'clients', 'process'],
      '.': ['run', 'published', 'disk', 'clients', 'process', 'checks'],
    },
  }
/** Test code that ships with the product, and the folders that may import it. */
const shippedTests = 'test/simulation/'
const shippedTo = ['test/', 'scripts/command/']
const generatedFolders = [
  'schemas/generated/',
  'engine/tables/generated/',
  'gateway/client/generated/',
  'gateway/documents/generated/',
  'gateway/native/generated/',
]
/** Minimum number of assertions in the engine. Raise it when you add some. */
const assertsMin = 520
/** Maximum number of product files that import `CoreState`. */
const stateImportersMax = 40
const stateFile = 'engine/state/core-state.ts'

const clock = 'the time of the command: replay must see the same one'
const pureModules = [
  ...['bytes', 'exact-sum', 'grown', 'layout', 'rows', 'state-'].map(
    (name) => `engine/memory/${name}`,
  ),
  'engine/tables/',
  'engine/pricing/',
  'engine/risk/',
  'engine/matching/',
  'engine/state/',
  'engine/publish/',
  'engine/lifecycle/',
  'engine/rfq/',
  'engine/core/',
  'engine/invariants/',
  'test/simulation/',
]
const platformMaths = ['exp', 'log', 'log2', 'log10', 'log1p', 'expm1', 'pow', 'sin', 'cos', 'cbrt']

/** Folder, text that must not be in it, and the alternative. */
export const banned: readonly (readonly [folder: string, text: string, instead: string])[] = [
  ...pureModules.flatMap(
    (module) =>
      [
        [module, 'Date.now', clock],
        [module, 'new Date', clock],
        [module, 'performance.now', clock],
        [module, 'Math.random', 'a value derived from the sequence: replay must see the same one'],
        [module, 'process.env', 'a parameter of the configuration, which is journaled'],
        [module, 'setTimeout', 'a deadline that a later command’s time passes'],
        [module, 'setInterval', 'a deadline that a later command’s time passes'],
        [module, "from 'node:", 'nothing: a pure state machine does no input or output'],
      ] as const,
  ),
  ...['engine/pricing/', 'engine/risk/'].flatMap((module) =>
    platformMaths.map(
      (name) =>
        [module, `Math.${name}(`, 'engine/pricing/exact.ts: the same bits everywhere'] as const,
    ),
  ),
  ['engine/', 'JSON.', 'a record of schemas/: there is no text inside the engine'],
  ['engine/matching/', 'BigInt(', 'two 32-bit halves, or a Float64 under 2^53'],
  ['engine/state/', 'BigInt(', 'two 32-bit halves, or a Float64 under 2^53'],
  ['engine/publish/', 'BigInt(', 'two 32-bit halves, or a Float64 under 2^53'],
  ['engine/core/', 'BigInt(', 'two 32-bit halves, or a Float64 under 2^53'],
  ['engine/', 'uWebSockets.js', 'nothing: the engine knows no socket'],
  ['engine/', 'console.', 'a note to the starter of the thread'],
  ['gateway/', 'console.', 'the logger: standard output belongs to the ready line'],
]
const bannedEverywhere = ['TODO', 'FIXME', 'XXX', 'HACK']
/** References to documents that are not in the repository. Numbered standards are public, so they are allowed. */
const citation =
  /\b(?!README\.md)[\w-]+\.md\b|\b[Dd]ecisions? \d+|^(?!.*\b(?:RFC|SEC|FIPS|EIP)\b).*\b[Ss]ections? \d+/
const socketLibrary = /^(import|export|\}).*from 'uWebSockets\.js'/m
/** The only file that may import the socket library. */
const socketFile = 'gateway/transport/native-transport.ts'

const importPattern =
  /^\s*(?:import|export)\b[^'"]*?from '(\.[^']+)'|^\s*import '(\.[^']+)'|\bimport\('(\.[^']+)'\)/gm
const fileNamePattern = /['"`][\w./-]*?([\w-]+)(\.js|\.tsx)['"`]/g

/**
 * Checks every rule that a linter cannot know.
 * @param root folder of package.json.
 * @returns sentences, each with the file, what is wrong and what to do instead; none when all is tidy.
 */
export function tidyFailures(root: string): readonly string[] {
  const alarmFile = join(root, 'scripts/deploy/alarms.toml')
  const files = readSources(root)
  return [
    ...topLevelFailures(topLevelFolders(root)),
    ...files.flatMap(importFailures),
    ...files.flatMap((file) => moduleFailures(file)),
    ...circleFailures(files),
    ...files.flatMap(bannedFailures),
    ...files.flatMap(citationFailures),
    ...assertFailures(files),
    ...stateFailures(files),
    ...deadFiles(files, entryNames(root)),
    ...proseFailures(root),
    ...readmeFailures(root, [...files.map(({ text }) => text), readFileSync(alarmFile, 'utf8')]),
  ]
}

/** Finds top-level folders other than the packages. Ignored (`.gitignore`) and hidden folders do not count. */
export function topLevelFailures(folders: readonly string[]): readonly string[] {
  return folders
    .filter((folder) => !modules.includes(folder))
    .map((folder) => `${folder}/ is at the top: it belongs in one of ${modules.join(', ')}`)
}

/** Finds imports that point the wrong way, and imports of the socket library outside its one file. */
export function importFailures(file: SourceFile): readonly string[] {
  const module = moduleOf(file.path)
  const allowed = [module, ...(importsAllowed[module] ?? [])]
  const failures = importsOf(file)
    .filter((target) => !allowed.includes(moduleOf(target)))
    .map((target) => {
      const may = importsAllowed[module]!.join(', ') || 'nothing'
      return `${file.path} imports ${target}: ${module} may import ${may}; move what both need down`
    })
  failures.push(...shippedFailures(file))
  if (file.path.startsWith('test/') || !socketLibrary.test(file.text)) return failures
  if (file.path === socketFile) return failures
  return [...failures, `${file.path} imports uWebSockets.js: use ${socketFile}, the one that may`]
}

/** Finds imports of the simulator outside tests and verbs of the command. */
function shippedFailures(file: SourceFile): readonly string[] {
  if (shippedTo.some((folder) => file.path.startsWith(folder))) return []
  return importsOf(file)
    .filter((target) => target.startsWith(shippedTests))
    .map((target) => `${file.path} imports ${target}: only ${shippedTo.join(' and ')} may`)
}

/** Finds imports between modules of a package that point the wrong way, and modules that are not in the table. */
export function moduleFailures(file: SourceFile, packages = moduleImports): readonly string[] {
  const packageName = Object.keys(packages).find((name) => file.path.startsWith(`${name}/`))
  if (packageName === undefined || file.path.endsWith('.test.ts')) return []
  const modules = packages[packageName]!
  const innerModuleOf = (path: string) => moduleWithin(relative(packageName, path), modules)
  const module = innerModuleOf(file.path)
  const allowed = module === undefined ? undefined : modules[module]
  if (allowed === undefined) {
    return [
      `${file.path} is in a module of ${packageName} that has no line in moduleImports: add one`,
    ]
  }
  return importsOf(file)
    .filter((target) => target.startsWith(`${packageName}/`))
    .filter((target) => ![module, ...allowed].includes(innerModuleOf(target)))
    .map((target) => {
      const may = allowed.join(', ') || 'nothing'
      return `${file.path} imports ${target}: ${packageName}/${module} may import ${may}; move what both need down`
    })
}

/** Finds folders that import each other, directly or indirectly. Test files do not count. */
export function circleFailures(files: readonly SourceFile[]): readonly string[] {
  const arrows = files
    .filter(({ path }) => !path.endsWith('.test.ts'))
    .flatMap((file) => importsOf(file).map((to) => [dirname(file.path), dirname(to)] as const))
  let left = arrows.filter(([from, to]) => from !== to)
  for (let before = -1; before !== left.length; ) {
    before = left.length
    left = left.filter(
      ([from, to]) => left.some(([next]) => next === to) && left.some(([, last]) => last === from),
    )
  }
  const folders = [...new Set(left.map(([from]) => from))].sort()
  if (folders.length === 0) return []
  return [`${folders.join(', ')} import each other: move what they share into a folder below them`]
}

/** Returns the innermost module that contains a path. */
function moduleWithin(
  path: string,
  modules: Readonly<Record<string, unknown>>,
): string | undefined {
  if (dirname(path) === '.') return '.'
  const folders = dirname(path).split('/')
  return folders
    .map((_, index) => folders.slice(0, folders.length - index).join('/'))
    .find((folder) => modules[folder] !== undefined)
}

/** Finds banned texts in a folder. Comments do not count. */
export function bannedFailures(file: SourceFile): readonly string[] {
  if (file.path === 'scripts/tidy.ts' || file.path.endsWith('.test.ts')) return []
  const code = withoutComments(file.text)
  const failures = banned
    .filter(([folder, text]) => file.path.startsWith(folder) && code.includes(text))
    .map(([, text, instead]) => `${file.path} has ${text}; instead: ${instead}`)
  const words = bannedEverywhere
    .filter((word) => new RegExp(`\\b${word}\\b`).test(file.text))
    .map((word) => `${file.path} has ${word}: finish it, or write the limit down as it is`)
  return [...failures, ...words]
}

/** Finds references, in comments and texts, to a document that is not in the repository. */
export function citationFailures(file: SourceFile): readonly string[] {
  if (file.path === 'scripts/tidy.ts' || file.path === 'test/tidy.test.ts') return []
  return file.text.split('\n').flatMap((line, index) => {
    const cited = citation.exec(line)
    if (cited === null) return []
    const where = `${file.path}:${index + 1}`
    return [`${where} cites ${line.trim()}: say the rule itself`]
  })
}

/** Finds a decrease in the number of assertions in the engine. @param least allowed number. */
export function assertFailures(
  files: readonly SourceFile[],
  least = assertsMin,
): readonly string[] {
  const count = files
    .filter(({ path }) => path.startsWith('engine/'))
    .reduce((sum, { text }) => sum + withoutComments(text).split(/\bassert\(/).length - 1, 0)
  if (count >= least) return []
  return [
    `engine/ has ${count} assertions, at least ${least}: assert what must hold before and after a change of the state`,
  ]
}

/** Finds too many product files that import `CoreState`. @param most allowed number. */
export function stateFailures(
  files: readonly SourceFile[],
  most = stateImportersMax,
): readonly string[] {
  const importers = files.filter(
    (file) => !file.path.startsWith('test/') && importsOf(file).includes(stateFile),
  )
  if (importers.length <= most) return []
  return [
    `${importers.length} files import CoreState of ${stateFile}, at most ${most}: list what a function touches instead`,
  ]
}

/** Finds files that are neither imported nor started. */
export function deadFiles(
  files: readonly SourceFile[],
  entries: readonly string[],
): readonly string[] {
  const imported = new Set(files.flatMap(importsOf))
  const named = new Set(files.flatMap(namesIn))
  const isUsed = (path: string) => imported.has(path) || named.has(basename(path))
  return files
    .filter(({ path }) => !isUsed(path) && !isEntry(path, entries))
    .map(({ path }) => `${path} is imported by nobody: delete it, or name it where it is started`)
}

function importsOf(file: SourceFile): readonly string[] {
  return [...file.text.matchAll(importPattern)].map((match) =>
    resolvePath(file.path, match.slice(1).find((target) => target !== undefined)!),
  )
}

/** Returns the file names in a text, without folders. They start threads and child processes. */
function namesIn(file: SourceFile): readonly string[] {
  const withoutImports = file.text.replace(importPattern, '')
  return [...withoutImports.matchAll(fileNamePattern)].map(
    ([, name, end]) => `${name}${end === '.tsx' ? end : '.ts'}`,
  )
}

function resolvePath(from: string, target: string): string {
  return normalize(join(dirname(from), target)).replace(/\.js(x?)$/, '.ts$1')
}

function isEntry(path: string, entries: readonly string[]): boolean {
  return (
    path.endsWith('.test.ts') ||
    path.endsWith('.d.ts') ||
    generatedFolders.some((folder) => path.startsWith(folder)) ||
    entries.some((entry) => entry.includes(path.replace(/\.ts$/, '.js'))) ||
    entries.some((entry) => entry.includes(path))
  )
}

/** Returns the texts that start files by name: the scripts of package.json, and their launchers. */
function entryNames(root: string): readonly string[] {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const launchers = readdirSync(join(root, 'scripts')).filter((name) => name.startsWith('launch'))
  const texts = launchers.map((name) => readFileSync(join(root, 'scripts', name), 'utf8'))
  return [...Object.values<string>(scripts), ...texts]
}

function moduleOf(path: string): string {
  return path.split('/')[0]!
}

function topLevelFolders(root: string): readonly string[] {
  const ignored = readFileSync(join(root, '.gitignore'), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => new RegExp(`^${line.replace(/\/$/, '').replaceAll('*', '.*')}$`))
  return readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
    .map(({ name }) => name)
    .filter((name) => !ignored.some((pattern) => pattern.test(name)))
}

function readSources(root: string): readonly SourceFile[] {
  return modules
    .filter((module) => existsSync(join(root, module)))
    .flatMap((module) =>
      readdirSync(join(root, module), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
        .map((entry) => relative(root, join(entry.parentPath, entry.name)))
        .filter((path) => !generatedFolders.some((folder) => path.startsWith(folder)))
        .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') })),
    )
}
