import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ProseException, proseExceptions } from './prose-exceptions.js'
import {
  elementPassages,
  lineAt,
  markdownPassages,
  type Passage,
  sourcePassages,
  tomlPassages,
} from './prose-passages.js'
import {
  clauseRules,
  docOpening,
  docOpeningInstead,
  phraseRules,
  sentenceWordsMax,
  type WordRule,
  wordRules,
} from './prose-rules.js'

/** Violation of a rule. */
export interface ProseFinding {
  readonly path: string
  readonly line: number
  readonly rule: string
  readonly found: string
  readonly instead: string
}

const rules = ruleSet([...wordRules, ...clauseRules])
const pageRules = ruleSet([...wordRules, ...clauseRules, ...phraseRules])
const pages = 'gateway/web/'
const folders = ['schemas', 'engine', 'gateway', 'bench', 'test', 'scripts']
/** Generated or recorded files. */
const notWritten = /\/generated\/|^test\/(?:recorded|vectors)\//
/** The rules themselves, and tests that violate them on purpose. */
const unchecked = ['scripts/prose-', 'test/scripts/tidy-prose.test.ts']
/** Ends of a sentence: its mark, a blank line, an item, a cell, a column, a heading, or a tag of a doc comment. */
const sentenceEnd =
  /[.!?][)"”’*_]*(?=\s|$)|\n\s*\n|\n\s*(?=[-*] |--|\d+\. |#|@|biome-ignore )|(?<=\S) {3,}(?=\S)|\||@\w+ /g
/** Line break within a paragraph. */
const lineBreak = /(?<!\n)\n(?!\n)/g
const word = /[\p{L}\d_][\p{L}\d_'’.,%-]*/gu

/** Returns a sentence for each finding, with what to write instead. @param root folder of package.json. */
export function proseFailures(root: string): readonly string[] {
  return pathsOf(root)
    .flatMap((path) => proseFindings(path, readFileSync(join(root, path), 'utf8')))
    .map(
      ({ path, line, rule, found, instead }) =>
        `${path}:${line} ${rule}: ${found}; write ${instead}`,
    )
}

/** Finds every violation in a file. */
export function proseFindings(
  path: string,
  text: string,
  exceptions: readonly ProseException[] = proseExceptions,
): readonly ProseFinding[] {
  if (unchecked.some((prefix) => path.startsWith(prefix))) return []
  const own = exceptions.filter((exception) => path.startsWith(exception.path ?? ''))
  return passagesOf(path, text).flatMap((passage) => [
    ...wordFindings(path, passage, own),
    ...openingFindings(path, passage),
    ...lengthFindings(path, passage),
  ])
}

/** Returns the passages of a file by its kind. Of strings in tests, only the names of tests count. */
function passagesOf(path: string, text: string): readonly Passage[] {
  if (path.endsWith('.md')) return markdownPassages(text)
  if (path.endsWith('.toml')) return tomlPassages(text)
  const passages = sourcePassages(text, !path.startsWith('test/'))
  return path.endsWith('.tsx') ? [...passages, ...elementPassages(text)] : passages
}

function wordFindings(
  path: string,
  { line, text }: Passage,
  exceptions: readonly ProseException[],
): readonly ProseFinding[] {
  const flat = text.replace(lineBreak, ' ')
  const own = path.startsWith(pages) ? pageRules : rules
  if (!own.any.test(flat)) return []
  const allowed = exceptions.flatMap(({ pattern }) => spansOf(pattern, flat))
  return own.rules.flatMap(({ name, pattern, instead }) =>
    spansOf(pattern, flat)
      .filter(({ from, to }) => !allowed.some((span) => span.from <= from && to <= span.to))
      .map(({ from, to }) => ({
        path,
        line: line + lineAt(text, from) - 1,
        rule: name,
        found: quoteAround(text, from, to),
        instead,
      })),
  )
}

/** Returns rules with one pattern that matches if any of theirs does. */
function ruleSet(all: readonly WordRule[]): { readonly any: RegExp; readonly rules: typeof all } {
  return { any: new RegExp(all.map(({ pattern }) => pattern.source).join('|'), 'i'), rules: all }
}

function openingFindings(path: string, { kind, line, text }: Passage): readonly ProseFinding[] {
  const start = text.trimStart()
  if (kind !== 'doc' || !docOpening.test(start)) return []
  const found = quoteAround(start, 0, 0)
  return [{ path, line, rule: 'doc comment opening', found, instead: docOpeningInstead }]
}

function lengthFindings(path: string, { line, text }: Passage): readonly ProseFinding[] {
  const ends = [...text.matchAll(sentenceEnd)].map((match) => match.index + match[0].length)
  return [...ends, text.length].flatMap((end, index) => {
    const from = index === 0 ? 0 : ends[index - 1]!
    const sentence = text.slice(from, end)
    const count = sentence.match(word)?.length ?? 0
    if (count <= sentenceWordsMax) return []
    const at = from + sentence.search(/\S/)
    return [
      {
        path,
        line: line + lineAt(text, at) - 1,
        rule: 'long sentence',
        found: quoteAround(text, at, at),
        instead: `sentences of about 15 words; this one has ${count}, at most ${sentenceWordsMax} are allowed`,
      },
    ]
  })
}

function spansOf(pattern: RegExp, text: string): readonly { from: number; to: number }[] {
  return [...text.matchAll(pattern)].map((match) => ({
    from: match.index,
    to: match.index + match[0].length,
  }))
}

/** Returns the words with some of their surroundings, on one line. */
function quoteAround(text: string, from: number, to: number): string {
  const around = text.slice(Math.max(0, from - 30), to + 50)
  return `"${around.replace(/\s+/g, ' ').trim()}"`
}

/** Returns the files with prose, without generated and recorded ones. */
function pathsOf(root: string): readonly string[] {
  const inFolders = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((path) =>
      join(folder, path),
    ),
  )
  return [...readdirSync(root), ...inFolders]
    .filter((path) => /\.(?:tsx?|js|md|toml)$/.test(path) && !notWritten.test(path))
    .sort()
}
