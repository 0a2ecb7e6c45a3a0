import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { buildProgram } from '../command/program.ts'
import { completionScript } from './completion.ts'

const bash = completionScript(buildProgram(), 'bash')

/** What bash offers after these words. */
function offered(...words: readonly string[]): readonly string[] {
  const line = words.map((word) => `'${word}'`).join(' ')
  const script = `${bash}\nCOMP_WORDS=(${line}); COMP_CWORD=${words.length - 1}; _periplus; echo "\${COMPREPLY[@]}"`
  return execFileSync('bash', ['-c', script], { encoding: 'utf8' }).trim().split(' ')
}

test('bash completes commands', () => {
  expect(offered('periplus', '')).toEqual(
    expect.arrayContaining(['serve', 'load', 'doctor', 'completion', '--version']),
  )
  expect(offered('periplus', 'col')).toEqual(['collections'])
})

test('bash completes sub-commands, also after options', () => {
  expect(offered('periplus', 'collections', 'l')).toEqual(['list'])
  expect(offered('periplus', 'collections', '--data', 'x', 'l')).toEqual(['list'])
})

test('bash completes options of a command', () => {
  expect(offered('periplus', 'serve', '--dem')).toEqual(['--demo'])
  expect(offered('periplus', 'serve', '--limits.si')).toEqual(['--limits.size'])
})

test('zsh uses the function of bash', () => {
  const script = completionScript(buildProgram(), 'zsh')
  expect(script).toMatch(/^#compdef periplus\n/)
  expect(script).toContain('bashcompinit')
})

test('fish has a line per command and option, with its description', () => {
  const script = completionScript(buildProgram(), 'fish')
  expect(script).toContain("complete -c periplus -n '__fish_use_subcommand' -f -a serve -d 'start the server'")
  expect(script).toMatch(/__fish_seen_subcommand_from serve' -l demo -d /)
  expect(script.split('\n').every((line) => line.startsWith('complete -c periplus -n '))).toBe(true)
})
