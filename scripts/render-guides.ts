import { existsSync, readFileSync } from 'node:fs'
import { rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Marked, Renderer, type Token, type Tokens } from 'marked'
import {
  type GuideName,
  guideNames,
  guidesPath,
  type RenderedGuide,
  type RenderedGuides,
  renderedFile,
} from '../gateway/documents/guide-pages.js'
import { operationIdOf } from '../gateway/documents/openapi.js'
import { anchorOf } from '../gateway/documents/reference-pages.js'
import { escaped } from '../gateway/wire/html-text.js'
import { frames, providerFrames } from '../schemas/interface/frames.js'
import { operationRows } from '../schemas/interface/operations.js'
import { operatorRows } from '../schemas/interface/operator.js'
import { providerMessages } from '../schemas/interface/provider-messages.js'
import { messages } from '../schemas/interface/streams.js'

// Renders the guides from Markdown to HTML as a step of the build. Three rules connect them with the rest of the project:
// - Code that is an operation, such as `POST /order`, or a message, such as `PlaceOrder`, becomes a link to its reference.
// - A paragraph of links to programs becomes the programs.
// - A link `venue:/docs/streams` leads to a path of the venue.

const source = 'gateway/documents/guides'
const programs = 'scripts/examples/guides/'
const operationForm = /^(?:GET|POST|PUT|DELETE) \/\S*$/
/** Messages that are linked. The names of the others are also words for something else. */
const linkedMessages = new Set(
  [frames, messages, providerFrames, providerMessages]
    .flatMap((rows) => Object.keys(rows))
    .filter((name) => /[A-Z_]/.test(name)),
)

/** Renders all guides into one file of the build. @throws Error if a program, an operation or a guide is missing. */
export async function writeGuides(root: string): Promise<void> {
  const entries = guideNames.map((name) => [name, readGuide(root, name)] as const)
  const guides = Object.fromEntries(entries) as RenderedGuides
  const file = fileURLToPath(renderedFile)
  const unfinished = `${file}.${process.pid}.unfinished`
  await writeFile(unfinished, JSON.stringify(guides))
  await rename(unfinished, file)
}

function readGuide(root: string, name: GuideName): RenderedGuide {
  const path = join(source, `${name}.md`)
  if (!existsSync(join(root, path))) throw new Error(`${path} does not exist: write the guide`)
  return renderGuide(readFileSync(join(root, path), 'utf8'), path, (file) =>
    readProgram(root, path, file),
  )
}

function readProgram(root: string, guide: string, file: string): string {
  const path = join(root, file)
  if (!existsSync(path))
    throw new Error(`${guide} includes ${file}, which does not exist: write the program`)
  return readFileSync(path, 'utf8')
}

/**
 * Renders one guide: a title, a paragraph on its purpose, then sections.
 * @param path path of its file, for errors and relative links.
 * @param program returns the text of an included program.
 * @throws Error if the guide has another form, or names an operation or guide that does not exist.
 */
export function renderGuide(
  text: string,
  path: string,
  program: (file: string) => string,
): RenderedGuide {
  const marked = markedOf(path)
  const [title, purpose, ...rest] = marked.lexer(text).filter(({ type }) => type !== 'space')
  if (title?.type !== 'heading' || title['depth'] !== 1 || purpose?.type !== 'paragraph') {
    throw new Error(`${path} has to begin with a title and a paragraph on its purpose`)
  }
  const titles = rest.filter(isHeading).filter(({ depth }) => depth === 2)
  const items = titles.map(
    (heading) => `<li><a href="#${anchorOf(heading.text)}">${inline(marked, heading)}</a></li>`,
  )
  const parts = rest.map((token) => {
    const files = programsIn(token, path)
    return files.length === 0
      ? marked.parser([token])
      : files.map(([name, file], index) => programText(name, program(file), index === 0)).join('\n')
  })
  return {
    title: inline(marked, title as Tokens.Heading),
    purpose: marked.parser([purpose]),
    contents: `<nav aria-label="Contents"><ul>${items.join('')}</ul></nav>`,
    body: parts.join(''),
  }
}

function isHeading(token: Token): token is Tokens.Heading {
  return token.type === 'heading'
}

function inline(marked: Marked, { tokens }: Tokens.Heading): string {
  return marked.Parser.parseInline(tokens, marked.defaults)
}

/** Returns label and path of the programs in a paragraph that has only links to programs. */
function programsIn(token: Token, path: string): readonly (readonly [string, string])[] {
  if (token.type !== 'paragraph') return []
  const links = (token.tokens ?? []).filter(({ type }) => type === 'link') as Tokens.Link[]
  const files = links.map(({ text, href }) => [text, join(dirname(path), href)] as const)
  return files.filter(([, file]) => file.startsWith(programs))
}

function programText(name: string, text: string, isOpen: boolean): string {
  // Braces of a program are no placeholders.
  const block = codeBlock(text).replaceAll('{{', '&#123;&#123;')
  return `<details${isOpen ? ' open' : ''}><summary>${escaped(name)}</summary>${block}</details>`
}

function codeBlock(text: string): string {
  return `<pre><code>${escaped(text.trimEnd())}</code></pre>\n`
}

function markedOf(path: string): Marked {
  const marked = new Marked()
  marked.use({
    renderer: {
      code: ({ text }) => codeBlock(text),
      codespan: ({ text }) => codeText(text, path),
      heading({ tokens, text, depth }) {
        return `<h${depth} id="${anchorOf(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`
      },
      table(token) {
        return `<div class="scroll">${Renderer.prototype.table.call(this, token)}</div>\n`
      },
      link({ tokens, href }) {
        return `<a href="${escaped(targetOf(href, path))}">${this.parser.parseInline(tokens)}</a>`
      },
      html: ({ text }) => {
        throw new Error(`${path} has HTML (${text.trim()}): write Markdown`)
      },
    },
  })
  return marked
}

/** Returns inline code, as a link if it names an operation or a message. */
function codeText(text: string, path: string): string {
  const code = `<code>${escaped(text)}</code>`
  const target = operationForm.test(text)
    ? operationTarget(text, path)
    : linkedMessages.has(text)
      ? `/docs/streams#${text}`
      : null
  return target === null ? code : `<a href="${target}">${code}</a>`
}

/** Returns the place of an operation in the reference; null for one of the operator, whose port has its own reference. */
function operationTarget(text: string, path: string): string | null {
  const key = text.replace(/\{\w+\}$/, '')
  if (key in operatorRows) return null
  const row = operationRows[key]
  if (row === undefined) throw new Error(`${path} names ${text}, which is no operation: name one`)
  return `/docs#/${encodeURIComponent(row.group)}/${operationIdOf(key)}`
}

function targetOf(href: string, path: string): string {
  const [, guide, anchor = ''] = /^([\w-]+)\.md(#[\w-]+)?$/.exec(href) ?? []
  if (guide !== undefined && guideNames.some((name) => name === guide))
    return `${guidesPath}/${guide}${anchor}`
  if (href.startsWith('venue:/')) return href.slice('venue:'.length)
  if (/^#|^https:/.test(href)) return href
  throw new Error(`${path} links to ${href}: link to a guide, to venue:/… or to https://…`)
}
