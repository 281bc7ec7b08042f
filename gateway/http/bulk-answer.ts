import type { OutcomeEvent } from '../../schemas/generated/events.js'
import { resultRows } from '../../schemas/results.js'
import type { Admission } from '../admission/admission.js'
import { bulkHeaders } from '../admission/bulk-admission.js'
import type { OutcomeListener } from '../link/command-port.js'
import type { GatewayContext } from '../link/gateway-context.js'
import type { OutcomeView, Reason } from '../link/outcome.js'
import type { HttpCall } from '../transport/transport.js'
import type { Fault } from '../wire/fault.js'
import { encodeJson } from '../wire/json-text.js'
import { answerFault, answerJson } from './http-answer.js'
import { outcomeListener } from './outcome-listener.js'

/** Result of one item: its order update as JSON text, and the reason of a rejection. */
export interface ItemUpdate {
  readonly isSuccess: boolean
  readonly update: string
  readonly reason: Reason
}

/** Formats the update of an item from its acknowledgement and event. */
export type DescribeItem = (outcome: OutcomeView, event: OutcomeEvent) => ItemUpdate

/** Collects the results of a bulk from the gateway and the engine, and answers after the last. */
export class BulkAnswer {
  /** One per item sent to the core, in order. */
  readonly listeners: OutcomeListener[] = []
  /** Admissions of all items with a valid signature. */
  readonly admissions: Admission[] = []
  readonly #context: GatewayContext
  readonly #call: HttpCall
  readonly #isBare: boolean
  /** JSON texts by index. */
  readonly #results: string[] = []
  #pending = 0

  /**
   * @param isBare True if the answer is a bare array.
   */
  constructor(context: GatewayContext, call: HttpCall, isBare: boolean) {
    this.#context = context
    this.#call = call
    this.#isBare = isBare
  }

  /** Registers an item that is sent to the core. */
  expect(index: number, admission: Admission, describe: DescribeItem): void {
    this.#pending++
    this.admissions.push(admission)
    const listener = outcomeListener(
      this.#context,
      admission,
      (outcome, event) => this.#settle(() => this.decide(index, describe(outcome, event))),
      (fault) => this.#settle(() => this.fail(index, fault)),
    )
    this.listeners.push(listener)
  }

  #settle(note: () => void): void {
    note()
    this.#pending--
    if (this.#pending === 0) this.send()
  }

  /** Notes the result of an item, decided by the core or the gateway. */
  decide(index: number, { isSuccess, update, reason }: ItemUpdate): void {
    const why = isSuccess ? '' : whyText(reason.reason, reason.code)
    this.#results[index] = `{"index":${index},"success":${isSuccess},"data":${update}${why}}`
  }

  /** Notes an item that failed with an error instead of an order update. */
  fail(index: number, fault: Fault): void {
    const { code } = resultRows[fault.result]
    const why = whyText(`${code}: ${fault.message}`, code)
    const details = fault.details === null ? '' : `,"details":${encodeJson(fault.details)}`
    this.#results[index] = `{"index":${index},"success":false,"data":null${why}${details}}`
  }

  /** Answers. Every item has its result. */
  send(): void {
    const list = `[${this.#results.join(',')}]`
    const body = this.#isBare ? list : `{"results":${list}}`
    answerJson(this.#call, 200, body, bulkHeaders(this.admissions))
  }

  /** Fails the whole request. Nothing was done. */
  refuse(fault: Fault): void {
    answerFault(this.#call, fault, undefined, bulkHeaders(this.admissions))
  }
}

function whyText(error: string | null, code: string | null): string {
  return `,"error":${encodeJson(error)},"code":${encodeJson(code)}`
}
