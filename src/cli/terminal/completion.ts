import type { Command } from 'commander'

export const completionShells = ['bash', 'zsh', 'fish'] as const
export type CompletionShell = (typeof completionShells)[number]

/** A command with everything a user may type after it. */
interface Level {
  /** Words of the command without the name of the program: `collections list`. */
  readonly path: string
  readonly words: readonly Word[]
}

interface Word {
  readonly text: string
  readonly description: string
}

/** Prints a completion script of the whole command line. It runs nothing, so that completion is immediate. */
export function completionScript(program: Command, shell: CompletionShell): string {
  const levels = levelsOf(program, [])
  if (shell === 'fish') return fishScript(program.name(), levels)
  const function_ = bashFunction(program.name(), levels)
  if (shell === 'bash') return `${function_}\ncomplete -o default -F _${program.name()} ${program.name()}`
  // zsh runs completion functions of bash
  const begin = `#compdef ${program.name()}\nautoload -U +X bashcompinit && bashcompinit`
  return `${begin}\n${function_}\ncomplete -o default -F _${program.name()} ${program.name()}`
}

function levelsOf(command: Command, path: readonly string[]): readonly Level[] {
  const words = [
    ...command.commands.map((inner) => ({ text: inner.name(), description: inner.description() })),
    ...command.options
      .filter(({ hidden }) => !hidden)
      .map(({ long, short, description }) => ({ text: long ?? short ?? '', description })),
    { text: '--help', description: 'show the usage' },
  ]
  const inner = command.commands.flatMap((next) => levelsOf(next, [...path, next.name()]))
  return [{ path: path.join(' '), words }, ...inner]
}

function bashFunction(name: string, levels: readonly Level[]): string {
  const cases = levels.map(({ path, words }) => `    '${path}') words='${words.map(({ text }) => text).join(' ')}' ;;`)
  const paths = levels.flatMap(({ path }) => (path === '' ? [] : [`'${path}'`]))
  return `_${name}() {
  local current="\${COMP_WORDS[COMP_CWORD]}" path='' words='' word i
  for ((i = 1; i < COMP_CWORD; i++)); do
    word="\${path:+$path }\${COMP_WORDS[i]}"
    case "$word" in
    ${paths.join('|')}) path="$word" ;;
    esac
  done
  case "$path" in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}`
}

function fishScript(name: string, levels: readonly Level[]): string {
  const lines = levels.flatMap(({ path, words }) => {
    const inner = words.filter(({ text }) => !text.startsWith('-')).map(({ text }) => text)
    const condition = [
      path === '' ? '__fish_use_subcommand' : `__fish_seen_subcommand_from ${path.split(' ').at(-1)}`,
      ...(path === '' || inner.length === 0 ? [] : [`not __fish_seen_subcommand_from ${inner.join(' ')}`]),
    ].join('; and ')
    return words.map(({ text, description }) => {
      const what = text.startsWith('--')
        ? `-l ${text.slice(2)}`
        : text.startsWith('-')
          ? `-s ${text.slice(1)}`
          : `-f -a ${text}`
      return `complete -c ${name} -n '${condition}' ${what} -d '${quoted(description)}'`
    })
  })
  return lines.join('\n')
}

const quoted = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")
