import { columnsOf, language, phrase, t, translated } from '@symup/core/text'
import { type Argument, Help, type HelpConfiguration, type Option } from 'commander'

const HEADINGS: readonly string[] = [phrase`Usage:`, phrase`Arguments:`, phrase`Options:`, phrase`Commands:`]

/** Translates the help output. The catalog keys are the English descriptions. */
export function helpInLanguage(): HelpConfiguration {
  if (language() === 'en') return {}
  return {
    styleTitle: (title) => (HEADINGS.includes(title) ? translated(title) : title),
    commandDescription: (command) => translated(command.description()),
    subcommandDescription: (command) => translated(command.summary() || command.description()),
    optionDescription: (option) => described(option, (it) => english.optionDescription(it)),
    argumentDescription: (argument) => described(argument, (it) => english.argumentDescription(it)),
    displayWidth: columnsOf,
    boxWrap: wrapped,
  }
}

const english = new Help()

/** Translates the description, including the information that Commander may append in parentheses. */
function described<Item extends Option | Argument>(item: Item, describe: (item: Item) => string): string {
  const description = translated(item.description)
  const added = describe(Object.assign(Object.create(item), { description: '' }) as Item)
  if (added === '') return description
  return `${description}${added.replace(/^\(/, '（').replace(/\)$/, '）').replace('choices: ', t`choices: `).replace('default: ', t`default: `)}`
}

/**
 * Matches a Latin word or a Chinese character, together with the punctuation that follows it, because a line must not begin with
 * punctuation.
 */
const PIECE = /\s*(?:[（“《]*[\u2e80-\uffef]|[（“《]*[^\s\u2e80-\uffef]+)[，。；：、！？）”》]*/g

/** Wraps text. Lines may break between Chinese characters, because Chinese text has no spaces. */
function wrapped(text: string, width: number): string {
  const lines: string[] = []
  for (const line of text.split('\n')) {
    let current = ''
    for (const piece of line.match(PIECE) ?? []) {
      if (current !== '' && columnsOf(current + piece) > width) {
        lines.push(current)
        current = piece.trimStart()
      } else current += piece
    }
    lines.push(current)
  }
  return lines.join('\n')
}
