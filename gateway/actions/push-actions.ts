import { CommandType, PushActionCommand } from '../../schemas/generated/commands.js'
import { pushWrites } from '../../schemas/interface/push.js'
import { PushActionKind, PushTopic } from '../../schemas/record-values.js'
import { Result } from '../../schemas/results.js'
import { Fault } from '../wire/fault.js'
import { action } from './action.js'

const work = { command: CommandType.PushAction, record: PushActionCommand }

/** Actions of browser notifications. */
export const pushActions = {
  PushSubscribe: action(pushWrites['POST /push/subscribe'], {
    ...work,
    rows: ({ subscription: { endpoint } }) => endpoint.length,
    content:
      ({ subscription: { endpoint, keys } }) =>
      (command) => {
        command.kind = PushActionKind.Subscribe
        command.u8.set(keys, command.keysAt)
        writeEndpoint(command, endpoint)
      },
  }),
  PushUnsubscribe: action(pushWrites['POST /push/unsubscribe'], {
    ...work,
    rows: ({ endpoint }) => endpoint.length,
    content:
      ({ endpoint }) =>
      (command) => {
        command.kind = PushActionKind.Unsubscribe
        writeEndpoint(command, endpoint)
      },
  }),
  PushPreferences: action(pushWrites['POST /push/preferences'], {
    ...work,
    rows: () => 0,
    check: (terms) =>
      topicsOf(terms).mask === 0
        ? new Fault(Result.MissingField, { name: 'fills, liquidations or settlements' })
        : null,
    content: (terms) => ({ kind: PushActionKind.Preferences, ...topicsOf(terms) }),
  }),
}

function writeEndpoint(command: PushActionCommand, endpoint: string): void {
  command.endpointBytes = endpoint.length
  for (let i = 0; i < endpoint.length; i++) {
    command.u8[command.endpointAt + i] = endpoint.charCodeAt(i)
  }
}

/** Returns the topics that the body names, as a mask, and their values. */
function topicsOf(terms: {
  readonly fills: boolean | null
  readonly liquidations: boolean | null
  readonly settlements: boolean | null
}) {
  const given = [
    [terms.fills, PushTopic.Fills],
    [terms.liquidations, PushTopic.Liquidations],
    [terms.settlements, PushTopic.Settlements],
  ] as const
  const bits = (which: (value: boolean | null) => boolean) =>
    given.reduce((sum, [value, bit]) => (which(value) ? sum | bit : sum), 0)
  return { mask: bits((value) => value !== null), topics: bits((value) => value === true) }
}
