/** Words that the prose of the project avoids, and their replacement. */
export interface WordRule {
  readonly name: string
  /** Global; `i` unless case matters. */
  readonly pattern: RegExp
  readonly instead: string
}

const clauseWords = 'who|whom|whose|what|which|whether|whoever|whatever|whichever'

/** Words with a plainer standard term. */
export const wordRules: readonly WordRule[] = [
  row('told', /\btold\b/gi, '"is sent", "receives", "is notified" or "is configured"'),
  row('hears', /\b(?:hears?|heard|hearing)\b/gi, '"receives" or "is notified"'),
  row('behind', /\bbehind\b/gi, '"after" or "later than"'),
  row('beside', /\bbesides?\b/gi, '"with", "next to" or "in addition to"'),
  row('stands', /\b(?:stands?|stood)\b/gi, '"is", "is stored" or "is in"'),
  row(
    'asker',
    /\baskers?\b|\b(?:who|what|whoever) (?:asks|asked)\b/gi,
    '"the requester", "the client" or "the taker"',
  ),
  row(
    'comes to be',
    /\b(?:comes?|came|coming) to be\b|\b(?:has|have|had) come to\b/gi,
    '"becomes" or "is"',
  ),
  row('as long as', /\b(?:as|so) long as\b/gi, '"while" or "if"'),
  row(
    'as much as',
    /\bfor as much as\b|\bas much as (?:it|they) (?:is|are|has|have)\b/gi,
    '"while" or "if"',
  ),
  row('goes on', /\b(?:goes|go|went|gone|going) on\b/gi, '"continues"'),
  row('looks at', /\blook(?:s|ed|ing)? (?:at|on)\b/gi, '"checks", "reads" or "watches"'),
  row(
    'doorbell',
    /\b(?:doorbells?|rous(?:e|es|ed|ing)|doz(?:e|es|ed|ing)|naps?|napping)\b/gi,
    '"wakeup", "wakes" or "parks with a timeout"',
  ),
  row('exempt order', /\bexempt (?:orders?|one)\b/gi, '"risk-reducing order"'),
  row(
    'package of legs',
    /\bfor the whole package\b|\bpackages? (?:of legs|prices?|orders?|fills?|trades?|premiums?)\b|\blegs of (?:a|the) package\b/gi,
    '"combo" or "multi-leg order"',
  ),
  row(
    'autopsy',
    /\b(?:autops(?:y|ies)|witness(?:es)?|stamps?|stamped)\b/gi,
    '"order trace", "admission trace" or "timestamp"',
  ),
  row('desk', /\b(?:desks?|keepers?|patrols?)\b/gi, '"service", "store" or "checker"'),
  row(
    'house',
    /\bhouses?\b|\brooms\b|\b(?:a|each|every|which|this) room\b/gi,
    '"module" or "package"',
  ),
  row('set aside', /\bset(?:s|ting)? aside\b/gi, '"quarantined" or "renamed"'),
  row('take up', /\b(?:takes?|took|taken|taking) up\b(?! to\b)/gi, '"indexes" or "absorbs"'),
  row('over its window', /\bover (?:its|the|their|a) windows?\b/gi, '"rate-limited"'),
  row('floor', /\bfloors?\b/gi, '"minimum"'),
  row('border', /\bborders?\b/gi, '"limit" or "boundary"'),
  row('meanwhile', /\bmeanwhile\b/gi, '"in the meantime", or the event that ends the wait'),
  row('warm', /\bwarm(?:s|ed|ing)\b(?! up)/gi, '"prefetches", or "warm-up" for compilation'),
  row(
    'repeat',
    /\b(?:a|the|any|each|every|no|as a) repeat\b/gi,
    '"duplicate", "retry" or "repetition"',
  ),
  row('outcome', /\boutcomes?\b/gi, '"result" or "acknowledgement"'),
  row(
    'is over',
    /\b(?:is|are|was|were) over\b(?! (?:\d|_|a |an |the |its |their |that ))/gi,
    '"has ended"',
  ),
  row('at its end', /\bat (?:its|their) ends?\b/gi, '"when it ends" or "after it ends"'),
  row('nobody’s', /\bnobody['’]s\b/gi, '"has no owner", or the rule itself'),
  row('becomes of', /\b(?:becomes?|became) of\b/gi, '"the result of" or "the status of"'),
  row('of before', /\bof (?:before|then|now)\b/gi, '"earlier", "previous" or "current"'),
  row('but for', /\b(?:nothing|none|nobody) but\b|\bbut for\b/gi, '"only" or "except"'),
]

/** Phrases that no page shows. */
export const phraseRules: readonly WordRule[] = [
  'Until: canceled',
  'Way: book',
  'under protection',
  'Take a demo key',
  'Verdict: would be taken',
  'Standing',
  'Do something',
  'None waits',
].map((phrase) =>
  row(
    'page phrase',
    new RegExp(`\\b${phrase}\\b`, 'g'),
    'a label that names the thing or the action',
  ),
)

/** Clauses in the place of a noun. */
export const clauseRules: readonly WordRule[] = [
  row(
    'clause as subject',
    new RegExp(`(?<=^|[.!;] |\\n\\n)(?:${clauseWords})\\b(?![^.!]*\\?)`, 'gi'),
    'a noun as the subject',
  ),
  row(
    'clause as subject',
    /\b(?:because|since|while|if|when|unless|until|so that|, but|, so) (?:who|what|whoever|whose|whether) \b/gi,
    'a noun as the subject',
  ),
  row(
    'clause after Returns',
    /(?:\bReturns|@returns) (?:what|whether|who|whom|whose|which)\b/g,
    '"true if", or a noun',
  ),
  row(
    'clause as noun',
    /\bwhoever\b|\b(?:to|from|with|for|by|than) who\b/gi,
    'a noun: "the client", "the wallet", "the caller"',
  ),
]

/** First words with which no doc comment begins. */
export const docOpening =
  /^(?:What|Who|Whom|Whose|Which|Whether|Where|When|While|If|As|Of|For|How|Why|Because|That|Whoever|Whatever|Whichever)\b/
export const docOpeningInstead = 'a verb in the third person, or a noun phrase'

/** Maximum number of words in a sentence. */
export const sentenceWordsMax = 40

function row(name: string, pattern: RegExp, instead: string): WordRule {
  return { name, pattern, instead }
}
