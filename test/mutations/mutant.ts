/** A small fault, put into one file of the engine. */
export interface Mutant {
  /** Source file, from the project's root. */
  readonly file: string
  /** Description for people. */
  readonly fault: string
  /** Part of one expression, without types: it occurs once in the source and once in the compiled file. */
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

/** Counts the occurrences of a text in another. */
export function countOf(part: string, text: string): number {
  return text.split(part).length - 1
}

/**
 * Puts the fault into the compiled text of its file.
 * @throws Error unless the original occurs exactly once; the source may have changed.
 */
export function mutate({ file, original, replacement }: Mutant, compiled: string): string {
  const count = countOf(original, compiled)
  if (count !== 1) throw new Error(`${file} has ${count} times, not once: ${original}`)
  // A function: `replace` interprets dollar signs of a text.
  return compiled.replace(original, () => replacement)
}
