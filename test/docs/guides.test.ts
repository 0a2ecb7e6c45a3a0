import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ensureInteropClients } from '../../scripts/interop-clients.ts'
import { ensurePythonModules } from '../../scripts/python-modules.ts'
import { makeWorkplace, type RunningServer } from '../cli/periplus.ts'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../..', import.meta.url))

const guideModules = {
  cache: 'guide-modules',
  packages: ['elasticsearch==8.19.0', 'pandas==2.3.3'],
  purpose: 'to run the programs of the guides',
} as const

/** Commands and Python programs of a guide, in order. */
function stepsOf(guide: string): readonly { readonly language: string; readonly text: string }[] {
  const text = readFileSync(path.join(root, 'docs', guide), 'utf8')
  return [...text.matchAll(/```(python|sh)\n(.*?)```/gs)].flatMap(([, language = '', block = '']) =>
    language === 'python'
      ? [{ language, text: block }]
      : block.split('\n').flatMap((line) => (line === '' ? [] : [{ language, text: line }])),
  )
}

describe.each(['from-elasticsearch.md', 'from-arlas.md', 'python-and-gis.md', 'interop.md'])(
  'the steps of %s',
  (guide) => {
    const workplace = makeWorkplace()
    let server: RunningServer

    beforeAll(async () => {
      server = await workplace.serve(['--demo'])
    })

    afterAll(async () => {
      expect(await server.stop()).toBe(0)
      workplace.remove()
    })

    test.each(stepsOf(guide))('$text', async ({ language, text }) => {
      const step = text.replaceAll('http://localhost:9999', server.url)
      if (language === 'python') {
        const { python, modules } = await ensurePythonModules(guideModules)
        const clients = guide === 'interop.md' ? [(await ensureInteropClients()).modules] : []
        const PYTHONPATH = [modules, ...clients].join(path.delimiter)
        const { stdout } = await run(python, ['-c', step], { env: { ...process.env, PYTHONPATH } })
        expect(stdout).toMatch(/\d/)
        return
      }
      if (step.startsWith('npx periplus ')) {
        const outcome = await workplace.run(step.split(' ').slice(2))
        expect(outcome, outcome.stderr).toMatchObject({ code: 0 })
        return
      }
      expect(step).toMatch(/^curl /)
      const { stdout } = await run('bash', ['-c', step.replace(/^curl /, 'curl --silent --fail-with-body ')])
      expect(stdout).not.toMatch(/"errors":true|"totalnb":0|"hits":\[\]|"features":\[\]|"elements":\[\]/)
      expect(stdout.length).toBeGreaterThan(10)
    })
  },
)
