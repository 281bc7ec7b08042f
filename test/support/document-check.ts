import assert from 'node:assert/strict'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { resolveConfig } from '../../gateway/config/config.js'
import { asyncApi } from '../../gateway/documents/asyncapi.js'
import { openApi } from '../../gateway/documents/openapi.js'

// Holds what a venue answers against the document that it serves. Objects have no fields there that the document does
// not name: a client may meet new ones, a test of ours may not.

// biome-ignore lint/suspicious/noExplicitAny: a document as its reader finds it
type Json = any

/** What is looked at of an answer. */
export interface CheckedAnswer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly body: unknown
}

const methods = new Set(['GET', 'POST', 'PUT', 'DELETE'])
/** Answers of paths and methods that no document has. */
const unserved = new Set(['not_found', 'unsupported_endpoint', 'method_not_allowed'])
const ownHeaders =
  /^(x-ratelimit-|x-request-id$|x-deprecation|deprecation$|sunset$|warning$|retry-after$)/
const componentPath = '#/components/schemas/'
const responsePath = '#/components/responses/'

/** The documents of the development preset, and the validators of what has been looked at so far. */
class DocumentCheck {
  readonly #ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: false })
  readonly #validators = new Map<object, ValidateFunction>()
  readonly #messages: Json
  readonly #responses: Json
  /** By number of parts, then literal parts first. */
  readonly #paths: readonly (readonly [parts: readonly string[], operations: Json])[]

  constructor() {
    const { config } = resolveConfig({ flags: new Map(), environment: {} })
    const venue = { config, version: 'test' }
    const asked: Json = openApi(venue)
    const told: Json = asyncApi(venue)
    const schemas = { ...asked.components.schemas, ...told.components.schemas }
    for (const [name, schema] of Object.entries(schemas)) {
      this.#ajv.addSchema(closed(schema) as object, name)
    }
    this.#responses = asked.components.responses
    this.#messages = told.components.messages
    const braces = (path: string) => path.split('{').length
    this.#paths = Object.entries(asked.paths)
      .sort(([one], [other]) => braces(one) - braces(other))
      .map(([path, operations]) => [path.split('/'), operations] as const)
  }

  /** @throws AssertionError: the document says otherwise. */
  check(method: string, url: string, answer: CheckedAnswer): void {
    const isJson = (answer.headers.get('content-type') ?? '').startsWith('application/json')
    if (!methods.has(method) || !isJson) return
    const path = new URL(url, 'http://venue').pathname
    const about = `${method} ${path} answered ${answer.status} ${answer.text.slice(0, 2000)}`
    const { code } = (answer.body ?? {}) as { readonly code?: string }
    const operation = this.#operationOf(method, path)
    if (operation === undefined || (code === 'unsupported_endpoint' && answer.status === 400)) {
      assert.ok(unserved.has(code ?? ''), `${about}: the document has no such operation`)
      return
    }
    const response = this.#responseOf(operation.responses[answer.status])
    const schema = response?.content['application/json']?.schema
    assert.ok(schema !== undefined, `${about}: the document has no such answer`)
    const validate = this.#validatorOf(schema)
    const fault = () => JSON.stringify(validate.errors?.slice(0, 5))
    assert.ok(validate(answer.body), `${about}: not as the document says: ${fault()}`)
    const told = new Set(Object.keys(response.headers).map((name) => name.toLowerCase()))
    for (const name of answer.headers.keys()) {
      if (ownHeaders.test(name)) assert.ok(told.has(name), `${about}: ${name} is in no document`)
    }
    const category = /^Rate limit exceeded for (\w+):/.exec(String((answer.body as Json)?.message))
    if (answer.status !== 429 || category === null) return
    const categories = [...(operation['x-rate-limit']?.categories ?? []), 'FailedSignature']
    assert.ok(categories.includes(category[1]), `${about}: it counts as ${categories}`)
  }

  /** @returns why a message is not as the document says, or null. */
  messageFault(message: Json): string | null {
    const text = JSON.stringify(message).slice(0, 2000)
    const known = this.#messages[message?.type]
    if (known === undefined) return `the document has no such message: ${text}`
    const validate = this.#validatorOf(known.payload)
    if (validate(message)) return null
    const faults = JSON.stringify(validate.errors?.slice(0, 8))
    return `${text}: not as the document says: ${faults}`
  }

  /** @throws AssertionError: the venue has taken a body that the document would not. */
  checkBody(method: string, url: string, body: unknown): void {
    const operation = this.#operationOf(method, new URL(url, 'http://venue').pathname)
    const schema = operation?.requestBody?.content['application/json'].schema
    if (schema === undefined) return
    const known = this.#validators.get(schema)
    const validate = known ?? this.#ajv.compile(schema)
    if (known === undefined) this.#validators.set(schema, validate)
    const about = `${method} ${url} ${JSON.stringify(body).slice(0, 1000)}`
    const fault = () => JSON.stringify(validate.errors?.slice(0, 5))
    assert.ok(validate(body), `${about} was taken; the document says: ${fault()}`)
  }

  #responseOf(response: Json): Json {
    if (response?.$ref === undefined) return response
    return this.#responses[response.$ref.slice(responsePath.length)]
  }

  #operationOf(method: string, path: string): Json {
    const parts = path.split('/')
    const found = this.#paths.find(
      ([names]) =>
        names.length === parts.length &&
        names.every((name, index) =>
          name.startsWith('{') ? parts[index] !== '' : name === parts[index],
        ),
    )
    return found?.[1][method.toLowerCase()]
  }

  #validatorOf(schema: object): ValidateFunction {
    const known = this.#validators.get(schema)
    if (known !== undefined) return known
    const made = this.#ajv.compile(closed(schema) as object)
    this.#validators.set(schema, made)
    return made
  }
}

let made: DocumentCheck | null = null

/** Holds an answer of a venue against the document, and a body that it has taken. */
export function assertDocumented(
  { method, url, body }: { readonly method: string; readonly url: string; readonly body: unknown },
  answer: CheckedAnswer,
): void {
  check().check(method, url, answer)
  if (answer.status === 200 && body !== undefined && areAllTaken(answer.body as Json)) {
    check().checkBody(method, url, body)
  }
}

/** A bulk may have items that are refused for what they are. */
function areAllTaken(answer: Json): boolean {
  const items = Array.isArray(answer) ? answer : answer?.results
  return !Array.isArray(items) || items.every(({ success }) => success !== false)
}

/** Why a message of a stream is not as the document says, or null. */
export function messageFault(message: unknown): string | null {
  return check().messageFault(message)
}

function check(): DocumentCheck {
  return (made ??= new DocumentCheck())
}

/** A schema whose objects have no fields but those it names, and whose references name components alone. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed)
  if (typeof schema !== 'object' || schema === null) return schema
  const entries = Object.entries(schema).map(([name, part]) =>
    name === '$ref'
      ? [name, String(part).replace(componentPath, '')]
      : [name, name === 'enum' || name === 'const' ? part : closed(part)],
  )
  const copy = Object.fromEntries(entries)
  const isObject = copy['type'] === 'object' || String(copy['type']).includes('object')
  const isOpen = copy['properties'] === undefined || 'additionalProperties' in copy
  return isObject && !isOpen ? { ...copy, additionalProperties: false } : copy
}
