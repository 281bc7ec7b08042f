import { DirectiveAction, DomainStatus, isFinalDelivery } from '../../../schemas/domain.js'
import { CommandType } from '../../../schemas/generated/commands.js'
import {
  type AnyEvent,
  DirectiveEvent,
  EventType,
  OutcomeEvent,
} from '../../../schemas/generated/events.js'
import { burnsNonce } from '../../../schemas/record-rules/events.js'
import { mustHold } from '../run/simulation-errors.js'

const directive = new DirectiveEvent()
const outcome = new OutcomeEvent()

/** Event of a directive whose acknowledgement comes next. */
interface Told {
  readonly account: number
  readonly isAccepted: boolean
}

/**
 * Checks that directives other than withdrawals are final when published, directly before their acknowledgement
 * and in agreement with it. A client with the answer then finds the directive. Every setting of an owner that is carried out
 * is published.
 */
export class PublishedDirectives {
  /** Numbers of accepted and rejected directives. */
  readonly counts = { accepted: 0, rejected: 0 }
  #published: Told | null = null
  /** True until the first event: the store may hold a directive whose acknowledgement comes first now. */
  #isDetached = true

  /** Starts over: the next event does not follow anything that was read. */
  begin(): void {
    this.#published = null
    this.#isDetached = true
  }

  take(event: AnyEvent): void {
    const isParted = this.#isDetached
    this.#isDetached = false
    if (isParted && event.recordType === EventType.Outcome) return
    if (event.recordType === EventType.Directive) this.#directive(directive.of(event))
    else if (event.recordType === EventType.Outcome) this.#outcome(outcome.of(event))
  }

  #directive({ account, action, delivery, domain }: DirectiveEvent): void {
    if (action === DirectiveAction.SendAsset) return
    mustHold(this.#published === null, () => `a directive of account ${account} has no outcome`)
    mustHold(isFinalDelivery(delivery), () => `a directive of account ${account} is not final`)
    const isAccepted = domain === DomainStatus.Completed
    this.counts[isAccepted ? 'accepted' : 'rejected']++
    this.#published = { account, isAccepted }
  }

  #outcome({ account, command, flags, result }: OutcomeEvent): void {
    const published = this.#published
    this.#published = null
    const isAccepted = burnsNonce(command, result, flags)
    const isSetting =
      command === CommandType.UpdateApiWallet || command === CommandType.SetAbstraction
    if (published === null) {
      mustHold(!(isSetting && isAccepted), () => `a setting of account ${account} is not published`)
      return
    }
    const isSame = published.account === account && published.isAccepted === isAccepted
    mustHold(isSame, () => `the directive of account ${published.account} was published otherwise`)
  }
}
