const failuresSaidMax = 20

/** Lines for whoever has started the market maker: what there is to say, and its first failures. */
export function makerReport() {
  let failures = 0
  const say = (line: string): void => {
    process.stderr.write(`${line}\n`)
  }
  const report = (failure: unknown): void => {
    failures++
    if (failures <= failuresSaidMax)
      say(failure instanceof Error ? failure.message : String(failure))
  }
  return { say, report }
}
