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
