/** A write or flush failed, so the state of the disk is unknown. The exchange stops at once and retries nothing. */
export class JournalFailure extends Error {
  override readonly name = 'JournalFailure'
  readonly operation: 'write' | 'flush' | 'open'

  constructor(operation: 'write' | 'flush' | 'open', name: string, cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    super(`journal: ${operation} of ${name} failed: ${reason}`, { cause })
    this.operation = operation
  }
}

/** Bytes that were once durable have changed. Nothing is repaired: the start fails. */
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

/** The journal is sound but unusable for this start: segments are missing, or another engine version wrote them. */
export class JournalRefusal extends Error {
  override readonly name: string = 'JournalRefusal'

  constructor(message: string) {
    super(`journal: ${message}`)
  }
}

/** A source outside the segments has seen more than they hold: a durable part of the journal is gone. */
export class JournalLoss extends JournalRefusal {
  override readonly name = 'JournalLoss'
}

/** Remedy for a loss, as the end of a sentence. */
export const orGiveUp = 'or give up what is lost with --accept-loss (STRIKEBOOK_ACCEPT_LOSS=1)'

/** Replay reached another state than the live engine did: a bug. No snapshot of that state may be written. */
export class ReplayDivergence extends Error {
  override readonly name = 'ReplayDivergence'
  readonly batchNumber: number

  /** @param what name of the differing value; `recorded` before the batch, and `replayed`. */
  constructor(batchNumber: number, what: string, recorded: string, replayed: string) {
    super(`replay diverged before batch ${batchNumber}: ${what} was ${recorded}, is ${replayed}`)
    this.batchNumber = batchNumber
  }
}
