import { isFinalRfq, RfqStatus } from '../../schemas/domain.js'
import type { OutcomeEvent } from '../../schemas/generated/events.js'
import { OutcomeFlag } from '../../schemas/record-values.js'
import { Result } from '../../schemas/results.js'
import { type RfqAcceptance, type RfqSubmission, readSubmission } from '../commands/rfq-request.js'
import { type RfqListener, sendRfq, takeAcceptance } from '../http/rfq-write.js'
import type { OutcomeView, Reason } from '../link/outcome.js'
import { Fault } from '../wire/fault.js'
import type { JsonObject } from '../wire/request-fields.js'
import type { FrameParts } from './frames.js'
import { type ErrorContext, errorMessage } from './messages.js'
import { acceptResultMessage, rfqStatusMessage } from './rfq-messages.js'
import { refusesOrder, signedContext } from './signed-frames.js'

type SubmitType = 'SubmitRfq' | 'SubmitAutoExecuteRfq'

/** Handles SubmitRfq and SubmitAutoExecuteRfq. The connection follows its RFQ until it ends. */
export function submitRfq(type: SubmitType) {
  return (frame: JsonObject, parts: FrameParts): Fault | null => {
    const { context, hub, session } = parts
    const refused = refusesOrder(parts)
    if (refused !== null) return refused
    const submission = readSubmission(frame, type, context.signing)
    if (submission instanceof Fault) return submission
    return sendRfq(context, submission, session.socket.address, ({ isKnown }) => {
      // An authorized signer follows the RFQ from its start. For others the engine decides first.
      const wasFollowed = hub.rfqs.isFollowed(submission.rfqId, session)
      if (isKnown) hub.rfqs.follow(submission.rfqId, session)
      const drop = () => {
        if (!wasFollowed) hub.rfqs.unfollow(submission.rfqId, session)
      }
      return listening(parts, frame, {
        refuse: drop,
        answer(outcome, event, reason) {
          const isFailed = outcome.result !== Result.Accepted
          if (isFailed) drop()
          onSubmitted({ ...parts, submission, isKnown }, outcome, event, reason)
        },
      })
    })
  }
}

/** Handles AcceptRfqQuote. */
export function acceptRfqQuote(frame: JsonObject, parts: FrameParts): Fault | null {
  const { context, hub, session } = parts
  const refused = refusesOrder(parts)
  if (refused !== null) return refused
  return takeAcceptance(context, {
    ...{ body: frame, form: 'AcceptRfqQuote', address: session.socket.address },
    proceed: (acceptance) => accept(frame, parts, acceptance),
    refuse(fault) {
      hub.reply(session, errorMessage(fault, contextOf(frame)))
      hub.flush()
    },
  })
}

function accept(frame: JsonObject, parts: FrameParts, acceptance: RfqAcceptance): Fault | null {
  const { context, hub, session } = parts
  const { rfqId, quoteId } = acceptance
  return sendRfq(context, acceptance, session.socket.address, () =>
    listening(parts, frame, {
      refuse() {},
      answer(outcome, event, reason) {
        const isFailed = outcome.result !== Result.Accepted
        const fillId = isFailed ? null : String(event.facts.fillId)
        const facts = { rfqId, quoteId, fillId, reason, seq: outcome.seq }
        hub.reply(
          session,
          acceptResultMessage({ ...facts, nonce: frame['nonce'] as string | number }),
        )
        // A failure without a change has no event of its own, and a duplicate was published the first time.
        const isReported = hub.rfqs.release(session)
        if (isFailed && !isReported) {
          const encodeOnce = () => acceptResultMessage(facts)
          hub.rfqs.notifyOthers(acceptance.wallet, session, outcome.seq, encodeOnce)
        }
      },
    }),
  )
}

interface Submitted extends FrameParts {
  readonly submission: RfqSubmission
  readonly isKnown: boolean
}

function onSubmitted(
  { context, hub, session, submission, isKnown }: Submitted,
  outcome: OutcomeView,
  event: OutcomeEvent,
  reason: Reason,
): void {
  const { rfqId, wallet } = submission
  const { seq, timeMillis } = outcome
  const common = { rfqId, wallet, timeMillis, seq }
  if (outcome.result !== Result.Accepted) {
    const bytes = rfqStatusMessage({ ...common, status: RfqStatus.Failed, reason })
    hub.reply(session, bytes)
    hub.rfqs.noteRefused(session)
    return
  }
  const isRepeat = (event.flags & OutcomeFlag.Repeat) !== 0
  const rfq = context.rfqs.find(rfqId)
  const isOver = rfq === undefined || isFinalRfq(rfq.status)
  if (isOver) hub.rfqs.unfollow(rfqId, session)
  else hub.rfqs.follow(rfqId, session)
  // The events of a new RFQ have already been published.
  if (isRepeat || !isKnown) {
    hub.reply(session, rfqStatusMessage({ ...common, status: event.facts.rfqStatus }))
  }
}

/** Counts the command as in flight until it is answered. */
function listening(
  { hub, session }: FrameParts,
  frame: JsonObject,
  listener: Omit<RfqListener, 'refuse'> & { readonly refuse: () => void },
): RfqListener {
  session.commandsInFlight++
  return {
    refuse(fault) {
      session.commandsInFlight--
      listener.refuse()
      hub.reply(session, errorMessage(fault, contextOf(frame)))
    },
    answer(outcome, event, reason) {
      session.commandsInFlight--
      listener.answer(outcome, event, reason)
    },
  }
}

function contextOf(frame: JsonObject): ErrorContext {
  const rfqId = String(frame['rfq_id']).toLowerCase()
  return { ...signedContext(frame), rfq_id: rfqId }
}
