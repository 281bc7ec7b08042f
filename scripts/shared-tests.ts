import { closeSync, openSync } from 'node:fs'
import { join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { beginTiming, noteTimes } from './test-times.js'

export interface SharedFiles {
  readonly files: readonly string[]
  /** Folder of the tests. Names are relative to it. */
  readonly root: string
  /** Folder in which processes mark the files that they have taken. */
  readonly marks: string
  /** True to record the cost of each file there. */
  readonly isTimed: boolean
  /** True to begin with the last file, so that two processes run different kinds of files. */
  readonly isBackwards: boolean
}

/** Longest run of a file. The runner stops a file that takes longer, and names it. */
const fileMillisMax = 300_000
const longFileMillisMax = 1_800_000
/** Time for handles to close after the last test of a process. */
const lingerMillisMax = 10_000

/**
 * Returns the text of a module that runs many test files in one process, one after the other. Several processes can share
 * the files: each takes the next one when it is free. Every file is a suite, so that its hooks apply to it alone.
 */
export function sharedEntry(shared: SharedFiles): string {
  return `
import { describe } from 'node:test'
import { takeFiles } from ${JSON.stringify(import.meta.url)}
// Kept, because a test may replace it.
const { exit } = process
for (const { name, url } of takeFiles(${JSON.stringify(shared)})) {
  const timeout = name.endsWith('.long.test.js') ? ${longFileMillisMax} : ${fileMillisMax}
  await describe(name, { timeout }, async () => {
    await import(url)
  })
}
// An open handle of a test would keep the process alive. It names the handles and exits with the result of its tests.
setTimeout(() => {
  process.stderr.write('tests left handles open: ' + process.getActiveResourcesInfo() + '\\n')
  exit.call(process)
}, ${lingerMillisMax}).unref()
`
}

/** Yields files that no other process has taken. Takes each when the iterator advances. */
export function* takeFiles({ files, root, marks, isTimed, isBackwards }: SharedFiles) {
  const numbered = [...files.entries()]
  for (const [index, file] of isBackwards ? numbered.reverse() : numbered) {
    if (!take(join(marks, `taken-${index}`))) continue
    const name = relative(root, file)
    const begun = isTimed ? beginTiming() : null
    yield { name, url: pathToFileURL(file).href }
    if (begun !== null) noteTimes(marks, name, begun)
  }
}

/** Takes a file by creating its mark. @returns false if another process has it. */
function take(mark: string): boolean {
  try {
    closeSync(openSync(mark, 'wx'))
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}
