/** A line of what an example shows. */
export function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
