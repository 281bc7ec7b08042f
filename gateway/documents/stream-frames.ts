import { frames } from '../../schemas/interface/frames.js'
import { exactly, type JsonSchema, object } from '../../schemas/interface/shape.js'
import { signedBody } from './request-bodies.js'

/** Returns the schema of a frame. @param symbolsMax maximum number of symbols in a subscription. */
export function frameSchema(type: string, symbolsMax: number): JsonSchema {
  const { fields, body } = frames[type]!
  if (fields === null) return signedBody(body, type)
  const symbols = fields['symbols?']
  const bounded =
    symbols === undefined
      ? {}
      : { 'symbols?': { schema: { ...symbols.schema, maxItems: symbolsMax } } }
  return object({ type: exactly(type), ...fields, ...bounded }).schema
}
