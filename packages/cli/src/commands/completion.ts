import { EXIT, problem } from '@symup/core'
import { t } from '@symup/core/text'
import type { Command } from 'commander'
import { CommandFailure } from '../failure.ts'

type Words = ReadonlyMap<string, readonly string[]>

const SHELLS = { bash, zsh, fish } as const

export function printCompletion(shell: string, program: Command): number {
  if (!Object.hasOwn(SHELLS, shell)) {
    const message = t`Shell completion is not available for "${shell}".`
    const fix = t`Use one of these values: ${Object.keys(SHELLS).join(', ')}.`
    throw new CommandFailure([problem('command-invalid', message, { fix })])
  }
  process.stdout.write(SHELLS[shell as keyof typeof SHELLS](wordsOf(program, new Map())))
  return EXIT.ok
}

function wordsOf(command: Command, words: Map<string, string[]>, path: string[] = []): Words {
  const flags = command.options.map(({ long, short }) => long ?? short ?? '')
  words.set(path.join(' '), [...command.commands.map((child) => child.name()), ...flags, '--help'])
  for (const child of command.commands) wordsOf(child, words, [...path, child.name()])
  return words
}

function bash(words: Words): string {
  const cases = [...words].map(([path, next]) => `    "${path}") words="${next.join(' ')}" ;;`)
  return `# Load with: source <(symup completion bash)
_symup() {
  local path="" word words="" current="\${COMP_WORDS[COMP_CWORD]}"
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$word" in -*) ;; *) case "$path $word" in
${commandCases(words)}
    esac ;; esac
  done
  case "$path" in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  [ \${#COMPREPLY[@]} -eq 0 ] || return 0
  local IFS=$'\\n'
  COMPREPLY=($(compgen -f -- "$current"))
}
complete -o filenames -F _symup symup
`
}

function commandCases(words: Words): string {
  const paths = [...words.keys()].filter((path) => path !== '')
  return paths
    .map((path) => {
      const parent = path.split(' ').slice(0, -1).join(' ')
      return `      "${parent} ${path.split(' ').at(-1)}") path="${path}" ;;`
    })
    .join('\n')
}

function zsh(words: Words): string {
  return `#compdef symup\n# Load with: source <(symup completion zsh)\nautoload -U +X bashcompinit && bashcompinit\n${bash(words)}`
}

function fish(words: Words): string {
  const lines = [...words].flatMap(([path, next]) => {
    const seen = path.split(' ').filter((word) => word !== '')
    const condition =
      seen.length === 0
        ? '__fish_use_subcommand'
        : seen.map((word) => `__fish_seen_subcommand_from ${word}`).join('; and ')
    return next.map((word) =>
      word.startsWith('--')
        ? `complete -c symup -n '${condition}' -l ${word.slice(2)}`
        : `complete -c symup -f -n '${condition}' -a ${word}`,
    )
  })
  return `# Load with: symup completion fish | source\n${lines.join('\n')}\n`
}
