/** A small fault, put into one file of the engine. */
export interface Mutant {
  /** Source file, from the project's root. */
  readonly file: string
  /** What the fault is, for people. */
  readonly fault: string
  /**
   * Stands exactly once in the source and exactly once in what it compiles to: part of one
   * expression, without types.
   */
  readonly original: string
  readonly replacement: string
}

/**
 * Parses a file of faults. A line without indentation names a source file. Each fault of that file has a line that
 * describes it, a line `- original` and a line `+ replacement`.
 */
export function parseMutants(text: string): Mutant[] {
  const rows = text.matchAll(/^(\S.*)$|^ {2}(\S.*)\n {4}- (.+)\n {4}\+ ?(.*)$/gm)
  let file = ''
  return [...rows].flatMap(([, named, fault, original, replacement]) => {
    if (named !== undefined) file = named
    return named === undefined ? [{ file, fault, original, replacement }] : []
  })
}

/** How often a text stands in another. */
export function countOf(part: string, text: string): number {
  return text.split(part).length - 1
}

/**
 * Puts the fault into the compiled text of its file.
 * @throws Error when the original does not stand there exactly once: the source has moved on.
 */
export function mutate({ file, original, replacement }: Mutant, compiled: string): string {
  const count = countOf(original, compiled)
  if (count !== 1) throw new Error(`${file} has ${count} times, not once: ${original}`)
  // A function, because a text would have its dollar signs read.
  return compiled.replace(original, () => replacement)
}
