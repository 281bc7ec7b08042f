/** A package whose native binaries a venue may load, as the lock file has it. */
export interface PinnedPackage {
  /** As it is installed, below `node_modules`. */
  readonly name: string
  readonly version: string
  /** Hash of its archive, as the lock file has it. */
  readonly integrity: string
  /** SHA-256 by file. */
  readonly binaries: Readonly<Record<string, string>>
}
