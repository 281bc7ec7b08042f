import { isComment, tokensOf } from './source-text.js'

/** Origin of a text. It selects the rules that apply. */
export type PassageKind = 'doc' | 'comment' | 'test' | 'string' | 'page'

/** Text for people. Its line breaks are those of the file, and underscores replace code. */
export interface Passage {
  readonly kind: PassageKind
  /** Line of the first character, from 1. */
  readonly line: number
  readonly text: string
}

/** Passage under construction, and the line on which it ends so far. */
interface OpenPassage {
  kind: PassageKind
  line: number
  text: string
  ends: number
}

const testCall = /(?:^|[^.\w$])(?:test|it|describe|longTest)(?:\.\w+)?\(\s*$/
const docMargin = /^[ \t]*\*(?: |$)/gm
const jsxText = />([^<>{}=;()]*[a-z] [^<>{}=;()]*)</g
const fence = /^ *```[\s\S]*?^ *```/gm
const tomlText = /^(?:means|action) = "(.*)"$/gm
/** Code in prose, link targets, URLs, names of parameters, and examples. */
const code = /`[^`]*`|\]\([^)\s]*\)|https?:\/\/\S+|(?<=@param )\w+|(?<=@example)[\s\S]*?(?=\n@|$)/g
const drawing = /^.*(?:[─-╿]|--\+|\+--|<--|-->).*$/gm
const isLiteral = /^(?:['"`}][\s\S]+)$/
const hasWords = /[a-z]\S* \S/i
/** Statement of SQL, rules of CSS, or a script. */
const isCode =
  /^\s*(?:select|insert|update|delete|create|with|pragma) |\{[\w-]+:[^}]*[;}]|\bconst \w+ = /

/** Returns the passages of a TypeScript or JavaScript source. @param strings false leaves out all but names of tests. */
export function sourcePassages(source: string, strings: boolean): readonly Passage[] {
  const reader = new SourceReader(strings)
  for (const token of tokensOf(source)) reader.take(token)
  return reader.passages
    .filter(({ kind, text }) => hasWords.test(text) && !(kind === 'string' && isCode.test(text)))
    .map(masked)
}

/** Collects the comments and strings of a source, token by token. */
class SourceReader {
  readonly passages: OpenPassage[] = []
  readonly #strings: boolean
  /** Templates whose expressions are open. Null stands for one that is left out. */
  readonly #templates: (OpenPassage | null)[] = []
  #line = 1
  #column = 0
  /** End of the code after the last literal. */
  #code = ''
  #comment: OpenPassage | null = null
  #commentColumn = 0
  #literal: OpenPassage | null = null

  constructor(strings: boolean) {
    this.#strings = strings
  }

  take(token: string): void {
    const ends = this.#line + token.split('\n').length - 1
    if (token.startsWith('//')) this.#takeLineComment(token)
    else if (isComment(token)) this.#takeBlock(token)
    else if (isLiteral.test(token)) this.#takeLiteral(token, ends)
    else this.#code = `${this.#code}${token.trim() === '' ? ' ' : token}`.slice(-14)
    const lastBreak = token.lastIndexOf('\n')
    this.#column = lastBreak < 0 ? this.#column + token.length : token.length - lastBreak - 1
    this.#line = ends
  }

  /** Continues the comment of the line above if both begin in the same column. */
  #takeLineComment(token: string): void {
    const text = token.replace(/^\/+ ?/, '')
    const before = this.#comment
    if (before?.ends === this.#line - 1 && this.#commentColumn === this.#column) {
      before.text += `\n${text}`
      before.ends = this.#line
      return
    }
    this.#comment = this.#open('comment', text)
    this.#commentColumn = this.#column
  }

  #takeBlock(token: string): void {
    const text = token.replace(/^\/\*+ ?/, '').replace(/ ?\*+\/$/, '')
    this.#open(token.startsWith('/**') ? 'doc' : 'comment', text.replace(docMargin, ''))
  }

  #takeLiteral(token: string, ends: number): void {
    const text = unquoted(token)
    let passage: OpenPassage | null
    if (token.startsWith('}')) {
      passage = continued(this.#templates.pop() ?? null, ` _ ${text}`, this.#line)
    } else if (this.#code.trim() === '+' && this.#literal !== null) {
      passage = continued(this.#literal, text, this.#line)
    } else {
      const isTest = testCall.test(this.#code)
      passage = isTest || this.#strings ? this.#open(isTest ? 'test' : 'string', text) : null
    }
    if (passage !== null) passage.ends = ends
    if (token.endsWith('${')) this.#templates.push(passage)
    this.#literal = passage
    this.#code = ''
  }

  #open(kind: PassageKind, text: string): OpenPassage {
    const passage = { kind, line: this.#line, text, ends: this.#line }
    this.passages.push(passage)
    return passage
  }
}

/** Appends a text on its own line. @returns the passage */
function continued(passage: OpenPassage | null, text: string, line: number): OpenPassage | null {
  if (passage === null) return null
  passage.text += `${'\n'.repeat(Math.max(0, line - passage.ends))}${text}`
  return passage
}

/** Returns the text between the elements of a page. */
export function elementPassages(source: string): readonly Passage[] {
  return [...source.matchAll(jsxText)].map((match) =>
    masked({ kind: 'string', line: lineAt(source, match.index), text: match[1]! }),
  )
}

/** Returns a Markdown file as one passage, without its blocks of code. */
export function markdownPassages(source: string): readonly Passage[] {
  const text = source.replace(fence, (block) => block.replace(/[^\n]+/g, ''))
  return [masked({ kind: 'page', line: 1, text })]
}

/** Returns the explanations of a TOML file. */
export function tomlPassages(source: string): readonly Passage[] {
  return [...source.matchAll(tomlText)].map((match) =>
    masked({ kind: 'string', line: lineAt(source, match.index), text: match[1]! }),
  )
}

/** Returns the line of an offset, from 1. */
export function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length
}

/** Replaces code by as many underscores, and drawings by nothing. */
function masked({ kind, line, text }: Passage): Passage {
  const prose = text.replace(drawing, '').replace(code, (span) => span.replace(/[^\n]/g, '_'))
  return { kind, line, text: prose }
}

/** Removes the delimiters of a string or template part. Escapes become blanks. */
function unquoted(token: string): string {
  return token
    .slice(1)
    .replace(/(?:['"`]|\$\{)$/, '')
    .replace(/\\n/g, '. ')
    .replace(/\\(.)/g, ' $1')
}
