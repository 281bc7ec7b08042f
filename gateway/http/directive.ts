import { apiWalletsMax } from '../../schemas/bounds.js'
import { RateCategory } from '../../schemas/domain.js'
import { SetAbstractionCommand, UpdateApiWalletCommand } from '../../schemas/generated/commands.js'
import type { OutcomeEvent } from '../../schemas/generated/events.js'
import { Envelope } from '../../schemas/interface/answer.js'
import type { DirectiveAnswer } from '../../schemas/interface/perps.js'
import { OutcomeFlag } from '../../schemas/record-values.js'
import type { RecordSink } from '../../schemas/record-views.js'
import { Result, resultRows, resultText } from '../../schemas/results.js'
import {
  directivePathOf,
  type SignedDirective,
  signedDirectives,
} from '../../schemas/signing/directive-actions.js'
import { typedDataDigest } from '../../schemas/signing/typed-data-digest.js'
import { directiveIdOf, formatUuid } from '../../schemas/uuid.js'
import type { OrderStatusName } from '../../schemas/wire-types.js'
import type { Signing } from '../actions/signing.js'
import { type Admission, admit } from '../admission/admission.js'
import { valuesOfCancel, writeCancel } from '../commands/cancel-request.js'
import { type DirectiveRequest, readDirective } from '../commands/directive-request.js'
import { writeOrder, writeSigned } from '../commands/write-order.js'
import type { OutcomeListener } from '../link/command-port.js'
import type { GatewayContext } from '../link/gateway-context.js'
import {
  type OutcomeView,
  type Reason,
  readFacts,
  reasonOf,
  valuesOfFacts,
} from '../link/outcome.js'
import { orderFillsQuestion } from '../link/read-protocol.js'
import type { DirectiveFill } from '../link/step-fills.js'
import type { HttpCall } from '../transport/transport.js'
import { Fault } from '../wire/fault.js'
import { withFaucet } from './faucet-hint.js'
import { answerFault, answerJson } from './http-answer.js'
import { readJsonBody } from './json-body.js'
import { outcomeListener } from './outcome-listener.js'
import { refusesTurn, valuesOfOrder } from './place-order.js'

/** Directive in progress, with the fields of its answer. */
interface PendingDirective {
  readonly context: GatewayContext
  readonly call: HttpCall
  readonly request: DirectiveRequest
  readonly admission: Admission
  readonly directiveId: string
  /** Lower-case text. */
  readonly signer: string
}

/** Result of a directive. */
interface DirectiveResult {
  readonly outcome: Pick<OutcomeView, 'orderId' | 'seq' | 'status'>
  readonly reason: Reason
  readonly fills: readonly DirectiveFill[] | null
}

const updateApiWallet = new UpdateApiWalletCommand()
const setAbstraction = new SetAbstractionCommand()

/** Reason codes that mean that the account cannot bear the order. */
const riskCodes: readonly (string | null)[] = [
  'no_funds',
  'insufficient_margin',
  'insufficient_cash',
]

/** Handlers of POST /v1/actions/{actionKey}, by path: perp orders and cancels, and owner settings. */
export const directiveWrites = new Map(
  signedDirectives.map((row) => {
    const write = (context: GatewayContext, call: HttpCall) => act(context, call, row)
    return [`POST ${directivePathOf(row.key)}`, write] as const
  }),
)

function act(context: GatewayContext, call: HttpCall, row: SignedDirective): Fault | null {
  const { signing, perps } = context
  const isOrder = row.key === 'hl_limit_order'
  const body = (isOrder ? refusesTurn(context) : null) ?? readJsonBody(call.body)
  if (body instanceof Fault) return body
  const request = readDirective(row, body, signing, (asset) => perps.underlyingOf(asset))
  if (request instanceof Fault) return request
  const { struct, domain } = row
  const { account: wallet, message, signature } = request
  const signed = { struct, message, domain: signing.domains[domain] }
  signing.digest.set(typedDataDigest(signed.domain, struct, message))
  const isOwners = domain === 'managerSign'
  const admission = admit(context, {
    ...{ address: call.address, wallet, signature, subject: signed },
    category: RateCategory.OrderPlacement,
    ...{ isOwnersOnly: isOwners, isOwnersResort: isOwners, isTradingDirective: !isOwners },
  })
  if (admission instanceof Fault) return admission
  const directiveId = formatUuid(directiveIdOf(signing.digest, 0), 0)
  send({ context, call, request, admission, directiveId, signer: signing.signerText() })
  return null
}

function send(sent: PendingDirective): void {
  const { context, request, admission } = sent
  const { operation, account } = request
  if (admission.lacksAccount) {
    if ('order' in operation) rejectUnfunded(sent)
    else refuse(sent, new Fault(Result.NoAccount))
    return
  }
  const { port, stepFills } = context
  stepFills.begin(account)
  const busy = port.send(listenerOf(sent), (sink) => writeDirective(context, sink, request))
  if (busy === null) return
  stepFills.end(account, 0)
  refuse(sent, busy)
}

/** Rejects an order of a wallet without an account. Nothing of it is stored. */
function rejectUnfunded(sent: PendingDirective): void {
  const { code } = resultRows[Result.NoFunds]
  const reason = { reason: resultText(Result.NoFunds, {}), code, details: null }
  const outcome = { orderId: 0, seq: sent.context.lastSeq(), status: 'REJECTED' } as const
  answer(sent, { outcome, reason, fills: null })
}

function refuse({ call, admission }: PendingDirective, fault: Fault): void {
  answerFault(call, fault, Envelope.Bare, admission.headers)
}

function writeDirective(
  { signing }: GatewayContext,
  sink: RecordSink,
  { operation }: DirectiveRequest,
): boolean {
  if ('order' in operation) return writeOrder(sink, signing, operation.order, null)
  if ('cancel' in operation) return writeCancel(sink, signing, operation.cancel)
  if ('apiWallet' in operation) {
    if (!updateApiWallet.claim(sink)) return false
    updateApiWallet.u8.set(operation.apiWallet.name, updateApiWallet.nameAt)
    updateApiWallet.u8.set(operation.apiWallet.address, updateApiWallet.apiWalletAt)
    return signCommand(updateApiWallet, signing)
  }
  if (!setAbstraction.claim(sink)) return false
  setAbstraction.abstraction = operation.abstraction
  return signCommand(setAbstraction, signing)
}

function signCommand(command: Parameters<typeof writeSigned>[0], signing: Signing): true {
  writeSigned(command, signing, signing.wallet, signing.nonce[0]!, signing.nonce[1]!)
  return true
}

/** Returns the listener of the acknowledgement: answers an error as such, and anything else with its status. */
function listenerOf(sent: PendingDirective): OutcomeListener {
  const { context, request, admission } = sent
  const { operation, account } = request
  let filled: readonly DirectiveFill[] = []
  const inner = outcomeListener(
    context,
    admission,
    (outcome, event) => {
      if (outcome.isUnfunded) admission.countFailure()
      const reason = reasonOf(outcome, () => valuesOf(sent, event))
      const isAccepted = outcome.status !== 'REJECTED'
      if (!('order' in operation) || !isAccepted) answer(sent, { outcome, reason, fills: null })
      else if (isRepeat(event) && outcome.filledLots > 0) answerRepeat(sent, outcome, reason)
      else answer(sent, { outcome, reason, fills: filled })
    },
    (fault) => refuse(sent, withLimit(fault, request)),
  )
  return {
    onOutcome(event) {
      filled = context.stepFills.end(account, event.facts.orderId)
      inner.onOutcome(event)
    },
  }
}

function withLimit(fault: Fault, { operation }: DirectiveRequest): Fault {
  const isFull = 'apiWallet' in operation && fault.result === Result.LimitExceeded
  return isFull
    ? new Fault(
        fault.result,
        {},
        `Limit exceeded: at most ${apiWalletsMax} API wallets per account are allowed`,
      )
    : fault
}

function isRepeat({ flags }: OutcomeEvent): boolean {
  return (flags & OutcomeFlag.Repeat) !== 0
}

/** Repeats the first answer to an order, with its fills from the history. */
function answerRepeat(sent: PendingDirective, outcome: OutcomeView, reason: Reason): void {
  const { context } = sent
  const query = `order_id=${outcome.orderId}&time=${outcome.timeMillis}`
  context.queryHistory(orderFillsQuestion, query).then(
    ({ status, body }) => {
      if (status !== 200) return answerJson(sent.call, status, body, sent.admission.headers)
      const { data } = JSON.parse(body) as { readonly data: readonly DirectiveFill[] }
      answer(sent, { outcome, reason, fills: data })
    },
    () => refuse(sent, new Fault(Result.InternalError)),
  )
}

/** Returns the placeholder values for the text of a reason. */
function valuesOf(
  { context, request }: PendingDirective,
  event: OutcomeEvent,
): Readonly<Record<string, string>> {
  const { operation, nonce } = request
  if ('order' in operation) return valuesOfOrder(operation.order)
  if (!('cancel' in operation)) return { nonce: String(nonce) }
  const facts = readFacts(event, context.names.instruments)
  return { ...valuesOfFacts(facts), ...valuesOfCancel(operation.cancel) }
}

function answer(sent: PendingDirective, { outcome, reason, fills }: DirectiveResult): void {
  const { call, context, request, admission, directiveId, signer } = sent
  const isRejected = outcome.status === 'REJECTED'
  const { orderId } = outcome
  const body: DirectiveAnswer = {
    stage: isRejected ? 'rejected' : 'submitted',
    directiveId,
    actionKey: request.action.key,
    account: request.account,
    nonce: request.nonce,
    recoveredSigner: signer,
    txHash: null,
    rejection: isRejected ? rejectionOf(withFaucet(context, reason)) : null,
    fills,
    ...(orderId === 0 ? {} : { orderId, orderStatus: outcome.status as OrderStatusName }),
    seq: outcome.seq,
  }
  answerJson(call, 200, JSON.stringify(body), admission.headers)
}

function rejectionOf({ reason, code }: Reason): DirectiveAnswer['rejection'] {
  return { code: riskCodes.includes(code) ? 'risk_rejected' : (code ?? ''), message: reason ?? '' }
}
