const failuresReportedMax = 20

/** Returns functions that write lines and the first failures to standard error. */
export function makerReport() {
  let failures = 0
  const say = (line: string): void => {
    process.stderr.write(`${line}\n`)
  }
  const report = (failure: unknown): void => {
    failures++
    if (failures <= failuresReportedMax)
      say(failure instanceof Error ? failure.message : String(failure))
  }
  return { say, report }
}
