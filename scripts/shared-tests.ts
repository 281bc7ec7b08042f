import { closeSync, openSync } from 'node:fs'
import { join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { beginTiming, noteTimes } from './test-times.js'

export interface SharedFiles {
  readonly files: readonly string[]
  /** Folder of the tests, which are named from there. */
  readonly root: string
  /** Where the processes mark what they have taken. */
  readonly marks: string
  /** Whether they note there what each file has cost. */
  readonly isTimed: boolean
  /** Whether the process begins with the last file, to have other rooms than one that begins with the first. */
  readonly isBackwards: boolean
}

/** Longest run of a file. The runner stops a file that takes longer, and names it. */
const fileMillisMax = 300_000
const longFileMillisMax = 1_800_000
/** Time for handles to close after the last test of a process. */
const lingerMillisMax = 10_000

/**
 * Text of a module that runs the tests of many files in one process, one file after the other. Of several processes that
 * are given the same files each takes the next one when it is free. Every file is a suite, so that its hooks are its own.
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

/** Files that no other process has taken, each taken when it is asked for. */
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

/** @returns whether nobody was first */
function take(mark: string): boolean {
  try {
    closeSync(openSync(mark, 'wx'))
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}
