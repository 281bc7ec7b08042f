/**
 * A write or flush failed: what is on disk is unknown. The exchange stops at once; nothing is
 * retried.
 */
export class JournalFailure extends Error {
  override readonly name = 'JournalFailure'
  readonly operation: 'write' | 'flush' | 'open'

  constructor(operation: 'write' | 'flush' | 'open', name: string, cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    super(`journal: ${operation} of ${name} failed: ${reason}`, { cause })
    this.operation = operation
  }
}

/**
 * Bytes that were once durable are not what they were. Nothing is repaired: start-up is refused.
 */
export class JournalDamage extends Error {
  override readonly name = 'JournalDamage'
  readonly file: string
  readonly offset: number

  constructor(file: string, offset: number, what: string) {
    super(`journal damaged: ${file} at offset ${offset}: ${what}`)
    this.file = file
    this.offset = offset
  }
}

/**
 * The journal is sound but cannot be used as asked: segments missing, or written by another engine
 * version.
 */
export class JournalRefusal extends Error {
  override readonly name: string = 'JournalRefusal'

  constructor(message: string) {
    super(`journal: ${message}`)
  }
}

/** Something has seen more than the journal holds: a part of it that was durable is gone. */
export class JournalLoss extends JournalRefusal {
  override readonly name = 'JournalLoss'
}

/** The way out of a loss, as the end of a sentence. */
export const orGiveUp = 'or give up what is lost with --accept-loss (STRIKEBOOK_ACCEPT_LOSS=1)'

/**
 * Replaying gave another state than the one that was live: a bug, and no snapshot may be made of
 * it.
 */
export class ReplayDivergence extends Error {
  override readonly name = 'ReplayDivergence'
  readonly batchNumber: number

  /** @param what was recorded before the batch, as that, and as it is now. */
  constructor(batchNumber: number, what: string, recorded: string, replayed: string) {
    super(`replay diverged before batch ${batchNumber}: ${what} was ${recorded}, is ${replayed}`)
    this.batchNumber = batchNumber
  }
}
