import { Argument, Command } from 'commander'
import { type CompletionShell, completionScript, completionShells } from '../terminal/completion.ts'

const HELP = `
Examples:
  $ periplus completion bash > ~/.local/share/bash-completion/completions/periplus
  $ periplus completion zsh > "\${fpath[1]}/_periplus"
  $ periplus completion fish > ~/.config/fish/completions/periplus.fish`

export function completionCommand(program: Command): Command {
  return new Command('completion')
    .description('print a script that completes commands and options in a shell')
    .addArgument(new Argument('<shell>', 'the shell').choices(completionShells))
    .addHelpText('after', HELP)
    .action((shell: CompletionShell) => console.log(completionScript(program, shell)))
}
