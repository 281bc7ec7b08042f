const anyText = String.raw`[\s\S]`
const comment = String.raw`\/\/.*|\/\*[\s\S]*?\*\/`
const quoted = String.raw`'(?:\\[\s\S]|[^'\\\n])*'|"(?:\\[\s\S]|[^"\\\n])*"`
const word = String.raw`[\w$]+|\s+`
const plainToken = new RegExp(`${comment}|${quoted}|${word}|${anyText}`, 'y')
const pattern = /\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+\/[a-z]*/y
/** What follows a backtick, or the brace that ends a value within a template. */
const templatePart = /(?:\\[\s\S]|\$(?!\{)|[^\\`$])*(?:`|\$\{)/y

/** Behind these a slash divides; behind anything else it begins a pattern. */
const operandEnd = /^(?:[\w$]+|[)\]}'"`])$/
const operators = ['return', 'typeof', 'case', 'in', 'of', 'do', 'else', 'void', 'delete', 'yield']

/** The source with a space in place of each comment; its lines stay where they are. */
export function withoutComments(source: string): string {
  let code = ''
  for (const token of tokensOf(source)) code += isComment(token) ? blankOf(token) : token
  return code
}

/** Lines with code on them: neither blank nor comments alone. */
export function countCodeLines(source: string): number {
  const lines = withoutComments(source).split('\n')
  return lines.filter((line) => line.trim() !== '').length
}

/** All of the source in order, cut into comments, texts, patterns, words and signs. */
function* tokensOf(source: string): Generator<string> {
  /** Of each open brace, whether it stands in a template. */
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

function isComment(token: string): boolean {
  return token.startsWith('//') || token.startsWith('/*')
}

/** A word as it is; of everything else the sign that it ends with. */
function endOf(token: string): string {
  return /^[\w$]/.test(token) ? token : token.slice(-1)
}

function blankOf(token: string): string {
  return ` ${token.replace(/[^\n]/g, '')}`
}
