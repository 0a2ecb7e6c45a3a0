import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const run = promisify(execFile)

type Grammar = 'atom' | 'search-description'

/** What xmllint finds wrong with a file: that it is not XML, or not what the RELAX NG grammar says; else nothing. */
export async function faultsOf(path: string, grammar: Grammar): Promise<string> {
  const schema = fileURLToPath(new URL(`schemas/${grammar}.rng`, import.meta.url))
  return run('xmllint', ['--noout', '--nonet', '--relaxng', schema, path]).then(
    () => '',
    (error: { readonly stderr?: string }) => error.stderr || String(error),
  )
}
