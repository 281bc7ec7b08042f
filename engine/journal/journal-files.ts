/**
 * The disk as the journal sees it: one flat directory with one folder below it for the archive.
 * The simulator has a twin of it whose crashes tear and lose writes. All calls are synchronous and
 * throw when they fail.
 */
export interface JournalFiles {
  /** Names of the files in `folder` ('' is the directory itself), sorted; folders are left out. */
  list(folder: string): string[]
  /** A new, empty file. @throws when it exists. */
  create(name: string): JournalFile
  /** An existing file, to be continued. */
  open(name: string): JournalFile
  bytesOf(name: string): number
  /**
   * All of a file, or at most `bytesMax` of it, from byte `from` on (the first, when nothing is said), in a fresh
   * ArrayBuffer from its first byte: aligned for any view. A caller that reads again and again may lend an `into`,
   * which is taken instead where it is large enough; of a file
   * that is cut meanwhile it then has what is left.
   */
  read(name: string, bytesMax?: number, into?: ArrayBuffer, from?: number): Uint8Array
  rename(source: string, target: string): void
  remove(name: string): void
  /**
   * Makes creations, renames and removals in `folder` durable; creates the folder when it is
   * missing.
   */
  syncDirectory(folder: string): void
}

export interface JournalFile {
  /**
   * Writes all pieces back to back from `offset` on, or throws. The pieces may lie in shared
   * memory.
   */
  write(pieces: readonly Uint8Array[], offset: number): void
  /** Returns when everything written is on stable storage. */
  flush(): void
  /** Cuts or, with zeros, extends to `bytes`. */
  truncate(bytes: number): void
  close(): void
}
