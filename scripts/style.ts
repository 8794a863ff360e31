// Fails if sentences in the message catalog or in the documentation break the writing rules. This check does not replace a review.
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const ROOT = resolve(import.meta.dirname, '..')
const MAX_WORDS = 30

const RULES: readonly [pattern: RegExp, instead: string][] = [
  [/^Of (?!course\b)[^.?!]*,/, 'put the subject first'],
  [/\b(?:to|in|from|by|of|with|at|on) which\b/, 'use two sentences'],
  [/\b(?:what|whatever) ships\b/i, 'name the thing: deployed scripts, uploaded maps'],
  [/\bis said\b|\bsays so\b|\bit says\b/i, 'name who reports what'],
  [/\b(?:none is|there are none|of none)\b/i, 'say what is missing'],
  [/^Nothing to do\b|^Nothing, (?:if|unless)/, 'leave the fix out, or write an imperative'],
  [/\bbesides\b/i, 'also, in addition to'],
  [/\bas \w+ says?\b/i, 'name the source'],
  [/\b(?:\d+|\{\d\}) of 1 artifacts\b/, '1 artifact'],
]

interface Sentence {
  where: string
  text: string
}

/** The keys of the message catalog are the English messages. */
function messages(): Sentence[] {
  const folder = join(ROOT, 'packages/core/zh')
  return readdirSync(folder).flatMap((file) =>
    Object.keys(JSON.parse(readFileSync(join(folder, file), 'utf8'))).flatMap((key) =>
      sentencesOf(key).map((text) => ({ where: `packages/core/zh/${file}`, text })),
    ),
  )
}

function pageSentences(page: string): Sentence[] {
  const text = readFileSync(join(ROOT, page), 'utf8')
  const prose = text
    .replaceAll(/^( *)```[\s\S]*?^ *```/gm, '')
    .replaceAll(/<!-- (\w+) -->[\s\S]*?<!-- \/\1 -->/g, '')
    .replaceAll(/^(?:\||#| {4}|\[\w+\]:).*$/gm, '')
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
  return prose
    .split(/\n\s*\n|\n(?=\s*(?:[-*]|\d+\.) )/)
    .flatMap((paragraph) => sentencesOf(paragraph.replaceAll(/\s+/g, ' ').trim()))
    .map((sentence) => ({ where: page, text: sentence }))
}

function sentencesOf(text: string): string[] {
  return text
    .split(/(?<=[.?!:])(?:\*\*)?\s+(?=[A-Z{`"*]|symup )/)
    .map((sentence) => sentence.replace(/^(?:[-*]|\d+\.)\s+/, '').trim())
    .filter((sentence) => sentence !== '')
}

function styleFaults(sentences: readonly Sentence[]): string[] {
  return sentences.flatMap(({ where, text }) => {
    const words = text.split(/\s+/).length
    const broken = RULES.filter(([pattern]) => pattern.test(text)).map(([, instead]) => instead)
    if (words > MAX_WORDS) broken.push(`${words} words: split it`)
    return broken.map((instead) => `${where}: ${instead}: ${text.slice(0, 160)}`)
  })
}

function allSentences(): Sentence[] {
  const pages = execFileSync('git', ['ls-files', '*.md'], { cwd: ROOT, encoding: 'utf8' })
    .split('\n')
    .filter((page) =>
      /^(?:[A-Z]+\.md|docs\/(?!decisions|evidence|reference).*\.md|packages\/[\w-]+\/README\.md)$/.test(page),
    )
    .filter((page) => !page.endsWith('problems.md') && !page.includes('zh-CN'))
  return [...messages(), ...pages.flatMap(pageSentences)]
}

const sentences = allSentences()
const faults = styleFaults(sentences)
for (const fault of faults) console.error(fault)
console.log(`${sentences.length} sentences read, ${faults.length} break a rule.`)
process.exitCode = faults.length === 0 ? 0 : 1
