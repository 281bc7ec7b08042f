import assert from 'node:assert/strict'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { resolveConfig } from '../../gateway/config/config.js'
import { asyncApi } from '../../gateway/documents/asyncapi.js'
import { openApi } from '../../gateway/documents/openapi.js'
import { operatorOpenApi } from '../../gateway/documents/operator-openapi.js'
import { type ExampleSection, exampleRecorder, nameOfAnswer } from './example-recorder.js'

// Checks a venue's answers against the document that it serves. Here objects must have no fields that the document does
// not name. A client must tolerate new fields; our tests must not.

// biome-ignore lint/suspicious/noExplicitAny: a document as its reader finds it
type Json = any

/** Parts of an answer that are checked. */
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

/** Document with validators for the schemas checked so far. */
class SchemaCheck {
  readonly document: Json
  // Most validators check a few values. Without optimization they compile in half the time.
  readonly #ajv = new Ajv2020({
    ...{ strict: false, validateFormats: false, allErrors: false },
    code: { optimize: false },
  })
  readonly #validators = new Map<object, ValidateFunction>()

  constructor(document: Json) {
    this.document = document
    for (const [name, schema] of Object.entries(document.components.schemas)) {
      this.#ajv.addSchema(closed(schema) as object, name)
    }
  }

  /** Returns the validator of a schema whose objects are closed, or open if `isOpen`. */
  validatorOf(schema: object, isOpen = false): ValidateFunction {
    const known = this.#validators.get(schema)
    if (known !== undefined) return known
    const made = this.#ajv.compile(isOpen ? schema : (closed(schema) as object))
    this.#validators.set(schema, made)
    return made
  }

  /** Returns why a value does not match a schema, or null. */
  faultOf(schema: object, value: unknown): string | null {
    const validate = this.validatorOf(schema)
    return validate(value) ? null : JSON.stringify(validate.errors?.slice(0, 8))
  }
}

/** Checks answers against an HTTP document. */
class AnswerCheck extends SchemaCheck {
  readonly #section: ExampleSection
  /** Sorted by number of parts, then literal parts first. */
  readonly #paths: readonly (readonly [path: string, parts: readonly string[], ofPath: Json])[]

  constructor(document: Json, section: ExampleSection) {
    super(document)
    this.#section = section
    const braces = (path: string) => path.split('{').length
    this.#paths = Object.entries(document.paths)
      .sort(([one], [other]) => braces(one) - braces(other))
      .map(([path, operations]) => [path, path.split('/'), operations] as const)
  }

  /** @throws AssertionError if the answer does not match the document */
  check(method: string, url: string, answer: CheckedAnswer): void {
    const isJson = (answer.headers.get('content-type') ?? '').startsWith('application/json')
    if (!methods.has(method) || !isJson) return
    const path = new URL(url, 'http://venue').pathname
    const about = `${method} ${path} answered ${answer.status} ${answer.text.slice(0, 2000)}`
    const { code } = (answer.body ?? {}) as { readonly code?: string }
    const [shown, operation] = this.#operationOf(method, path)
    if (operation === undefined || (code === 'unsupported_endpoint' && answer.status === 400)) {
      assert.ok(unserved.has(code ?? ''), `${about}: the document has no such operation`)
      return
    }
    const response = this.#responseOf(operation.responses[answer.status])
    const schema = response?.content['application/json']?.schema
    assert.ok(schema !== undefined, `${about}: the document has no such answer`)
    const fault = this.faultOf(schema, answer.body)
    assert.equal(fault, null, `${about}: not as the document says: ${fault}`)
    this.#record(`${method} ${shown.replace(/\{\w+\}$/, '')}`, schema, answer)
    const documented = new Set(
      Object.keys(response.headers ?? {}).map((name) => name.toLowerCase()),
    )
    for (const name of answer.headers.keys()) {
      if (ownHeaders.test(name))
        assert.ok(documented.has(name), `${about}: ${name} is in no document`)
    }
    const category = /^Rate limit exceeded for (\w+):/.exec(String((answer.body as Json)?.message))
    if (answer.status !== 429 || category === null) return
    const categories = [...(operation['x-rate-limit']?.categories ?? []), 'FailedSignature']
    assert.ok(categories.includes(category[1]), `${about}: it counts as ${categories}`)
  }

  /** @throws AssertionError if the venue has accepted a body that the document would not */
  checkBody(method: string, url: string, body: unknown): void {
    const [, operation] = this.#operationOf(method, new URL(url, 'http://venue').pathname)
    const schema = operation?.requestBody?.content['application/json'].schema
    if (schema === undefined) return
    const validate = this.validatorOf(schema, true)
    const about = `${method} ${url} ${JSON.stringify(body).slice(0, 1000)}`
    const fault = () => JSON.stringify(validate.errors?.slice(0, 5))
    assert.ok(validate(body), `${about} was taken; the document says: ${fault()}`)
  }

  #record(key: string, schema: object, { status, body }: CheckedAnswer): void {
    const recorder = exampleRecorder()
    if (recorder === null) return
    const isSound = (value: unknown) => this.faultOf(schema, value) === null
    const { code, success, data } = (body ?? {}) as Json
    if (status === 200) recorder.take([this.#section, key, nameOfAnswer(key, body)], body, isSound)
    else if (this.#section === 'answers' && typeof code === 'string') {
      const ofList = data === null ? 'ErrorOfData' : 'ErrorOfList'
      recorder.take(['errors', success === false ? ofList : 'Error', code], body, isSound)
    }
  }

  #responseOf(response: Json): Json {
    if (response?.$ref === undefined) return response
    return this.document.components.responses[response.$ref.slice(responsePath.length)]
  }

  #operationOf(method: string, path: string): readonly [path: string, operation: Json] {
    const parts = path.split('/')
    const found = this.#paths.find(
      ([, names]) =>
        names.length === parts.length &&
        names.every((name, index) =>
          name.startsWith('{') ? parts[index] !== '' : name === parts[index],
        ),
    )
    return [found?.[0] ?? '', found?.[2][method.toLowerCase()]]
  }
}

/** Checks messages against the document of the streams. */
class MessageCheck extends SchemaCheck {
  /** Returns why a message does not match the document, or null. */
  messageFault(message: Json): string | null {
    const known = this.document.components.messages[message?.type]
    const text = JSON.stringify(message).slice(0, 2000)
    if (known === undefined) return `the document has no such message: ${text}`
    const fault = this.faultOf(known.payload, message)
    if (fault !== null) return `${text}: not as the document says: ${fault}`
    this.#record('messages', known, message)
    return null
  }

  /** Records a quote provider's frame if it is valid. */
  noteFrame(frame: Json): void {
    const { messages } = this.document.components
    const type = frame?.type ?? ''
    const isOfProviders = /^[a-z_]+$/.test(type) && Object.hasOwn(messages, type)
    if (isOfProviders) this.#record('frames', messages[type], frame)
  }

  #record(section: ExampleSection, { payload }: Json, message: Json): void {
    const isSound = (value: unknown) => this.faultOf(payload, value) === null
    const { type, kind } = message
    const name = typeof kind === 'string' && type === 'PortfolioUpdate' ? kind : 'told'
    exampleRecorder()?.take([section, type, name], message, isSound)
  }
}

/** Documents of the development preset, each created on first use. */
class DocumentChecks {
  #made = new Map<string, SchemaCheck>()

  get answers(): AnswerCheck {
    return this.#of('answers', () => new AnswerCheck(openApi(venueOfChecks()), 'answers'))
  }

  get operator(): AnswerCheck {
    return this.#of('operator', () => new AnswerCheck(operatorOpenApi(venueOfChecks()), 'operator'))
  }

  get messages(): MessageCheck {
    return this.#of('messages', () => new MessageCheck(asyncApi(venueOfChecks())))
  }

  #of<Check extends SchemaCheck>(name: string, make: () => Check): Check {
    const check = (this.#made.get(name) as Check | undefined) ?? make()
    this.#made.set(name, check)
    return check
  }
}

const checks = new DocumentChecks()

/** Request of a checked answer. */
interface CheckedRequest {
  readonly method: string
  readonly url: string
  readonly body: unknown
}

/** Checks a venue's answer, and a request body that it accepted, against the document. */
export function assertDocumented(request: CheckedRequest, answer: CheckedAnswer): void {
  assertBoth(checks.answers, request, answer)
}

/** The same for an answer of the operator interface. */
export function assertOperatorDocumented(request: CheckedRequest, answer: CheckedAnswer): void {
  assertBoth(checks.operator, request, answer)
}

function assertBoth(
  check: AnswerCheck,
  { method, url, body }: CheckedRequest,
  answer: CheckedAnswer,
): void {
  check.check(method, url, answer)
  if (answer.status === 200 && body !== undefined && areAllTaken(answer.body as Json)) {
    check.checkBody(method, url, body)
  }
}

/** Returns false if a bulk has an item that failed. */
function areAllTaken(answer: Json): boolean {
  const items = Array.isArray(answer) ? answer : answer?.results
  return !Array.isArray(items) || items.every(({ success }) => success !== false)
}

/** Returns why a stream message does not match the document, or null. */
export function messageFault(message: unknown): string | null {
  return checks.messages.messageFault(message)
}

/** Records a frame sent on a stream. */
export function noteFrame(frame: unknown): void {
  if (exampleRecorder() !== null) checks.messages.noteFrame(frame)
}

/** Returns why an example does not match the documents, or that they have nothing for it; else null. */
export function exampleFault(section: ExampleSection, key: string, value: unknown): string | null {
  const check = checkOf(section)
  const schema = exampleSchema(section, key, check)
  return schema === undefined ? 'the documents have none of it' : check.faultOf(schema, value)
}

function checkOf(section: ExampleSection): SchemaCheck {
  if (section === 'operator') return checks.operator
  return section === 'answers' || section === 'errors' ? checks.answers : checks.messages
}

function exampleSchema(section: ExampleSection, key: string, check: SchemaCheck): Json {
  if (section === 'errors') return checks.answers.document.components.schemas[key]
  const { document } = check
  if (section === 'messages' || section === 'frames') {
    return document.components.messages[key]?.payload
  }
  const [method, path] = key.split(' ') as [string, string]
  const shown = Object.keys(document.paths).find((one) => one.replace(/\{\w+\}$/, '') === path)
  const operation = document.paths[shown ?? '']?.[method.toLowerCase()]
  return operation?.responses[200].content['application/json']?.schema
}

function venueOfChecks() {
  return { config: resolveConfig({ flags: new Map(), environment: {} }).config, version: 'test' }
}

/** Returns the schema with closed objects, and with references that name components only. */
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
