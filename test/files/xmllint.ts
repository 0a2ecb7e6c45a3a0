import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const run = promisify(execFile)

type Grammar = 'atom' | 'search-description'

/**
 * Returns the errors that xmllint reports for a file: not well-formed, or not valid by the RELAX NG grammar. Empty if
 * there are none.
 */
export async function faultsOf(path: string, grammar: Grammar): Promise<string> {
  const schema = fileURLToPath(new URL(`schemas/${grammar}.rng`, import.meta.url))
  return run('xmllint', ['--noout', '--nonet', '--relaxng', schema, path]).then(
    () => '',
    (error: { readonly stderr?: string }) => error.stderr || String(error),
  )
}
