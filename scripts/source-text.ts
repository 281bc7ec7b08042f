const anyText = String.raw`[\s\S]`
const comment = String.raw`\/\/.*|\/\*[\s\S]*?\*\/`
const quoted = String.raw`'(?:\\[\s\S]|[^'\\\n])*'|"(?:\\[\s\S]|[^"\\\n])*"`
const word = String.raw`[\w$]+|\s+`
const plainToken = new RegExp(`${comment}|${quoted}|${word}|${anyText}`, 'y')
const pattern = /\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+\/[a-z]*/y
/** Rest of a template part, after a backtick or the brace that closes an expression. */
const templatePart = /(?:\\[\s\S]|\$(?!\{)|[^\\`$])*(?:`|\$\{)/y

/** Tokens after which a slash is a division. After any other token it begins a regular expression. */
const operandEnd = /^(?:[\w$]+|[)\]}'"`])$/
const operators = ['return', 'typeof', 'case', 'in', 'of', 'do', 'else', 'void', 'delete', 'yield']

/** Replaces each comment by a space. Line breaks stay, so line numbers do not change. */
export function withoutComments(source: string): string {
  let code = ''
  for (const token of tokensOf(source)) code += isComment(token) ? blankOf(token) : token
  return code
}

/** Counts the lines with code: neither blank nor comment only. */
export function countCodeLines(source: string): number {
  const lines = withoutComments(source).split('\n')
  return lines.filter((line) => line.trim() !== '').length
}

/** Splits a source into comments, strings, regular expressions, words and single characters. */
export function* tokensOf(source: string): Generator<string> {
  /** True for each open brace that opens an expression in a template. */
  const braces: boolean[] = []
  let last = ''
  for (let at = 0; at < source.length; ) {
    let token = match(plainToken, source, at)
    const dividesOrEnds = operandEnd.test(last) && !operators.includes(last)
    if (token === '/' && !dividesOrEnds) token = match(pattern, source, at) || token
    if (token === '{') braces.push(false)
    if (token === '`' || (token === '}' && braces.pop())) {
      token += match(templatePart, source, at + 1)
      if (token.endsWith('{')) braces.push(true)
    }
    if (!isComment(token) && token.trim() !== '') last = endOf(token)
    yield token
    at += token.length
  }
}

function match(wanted: RegExp, source: string, at: number): string {
  wanted.lastIndex = at
  return wanted.exec(source)?.[0] ?? ''
}

export function isComment(token: string): boolean {
  return token.startsWith('//') || token.startsWith('/*')
}

/** Returns a word unchanged, and the last character of any other token. */
function endOf(token: string): string {
  return /^[\w$]/.test(token) ? token : token.slice(-1)
}

function blankOf(token: string): string {
  return ` ${token.replace(/[^\n]/g, '')}`
}
