import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'

const axe = fileURLToPath(import.meta.resolve('axe-core/axe.min.js'))

interface Finding {
  readonly id: string
  readonly impact: string
  readonly nodes: readonly { readonly html: string }[]
}

/** Serious findings of axe, with the elements they are about. */
export async function seriousFindings(page: Page): Promise<readonly string[]> {
  // not by a script element, which the policy of the page would refuse
  await page.evaluate(await readFile(axe, 'utf8'))
  const found = await page.evaluate<readonly Finding[]>('axe.run(document).then(({ violations }) => violations)')
  return found
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`)
}
