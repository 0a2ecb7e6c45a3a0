import { execFile } from 'node:child_process'
import { existsSync, readFileSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ensureFileReaders } from '../../scripts/tools/file-readers.ts'
import { ensureInteropClients } from '../../scripts/tools/interop-clients.ts'
import { ensureNpmPackages } from '../../scripts/tools/npm-packages.ts'
import { ensurePythonModules } from '../../scripts/tools/python-modules.ts'
import { makeWorkplace, type RunningServer } from '../cli/periplus.ts'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../..', import.meta.url))

const guideModules = {
  cache: 'guide-modules',
  packages: ['elasticsearch==8.19.0', 'pandas==2.3.3', 'geopandas==1.1.1', 'OWSLib==0.35.0'],
  purpose: 'to run the programs of the guides',
} as const

const scriptModules = { cache: 'guide-packages', packages: ['@elastic/elasticsearch@8.19.1'] }

/** Commands and programs of a guide, in order. */
function stepsOf(guide: string): readonly { readonly language: string; readonly text: string }[] {
  const text = readFileSync(path.join(root, 'docs', guide), 'utf8')
  return [...text.matchAll(/```(python|js|sh)\n(.*?)```/gs)].flatMap(([, language = '', block = '']) =>
    language !== 'sh'
      ? [{ language, text: block }]
      : block.split('\n').flatMap((line) => (line === '' ? [] : [{ language, text: line }])),
  )
}

const guides = ['from-elasticsearch.md', 'from-arlas.md', 'python-and-gis.md', 'dashboards.md', 'interop.md']

describe('the guides', () => {
  const workplace = makeWorkplace()
  let server: RunningServer

  beforeAll(async () => {
    server = await workplace.serve(['--demo'])
  })

  afterAll(async () => {
    expect(await server.stop()).toBe(0)
    workplace.remove()
  })

  const steps = guides.flatMap((guide) => stepsOf(guide).map((step) => ({ guide, ...step })))

  test.each(steps)('$guide: $text', async ({ guide, language, text }) => {
    const step = text.replaceAll('http://localhost:9999', server.url)
    if (language === 'python') {
      const { python, modules } = await ensurePythonModules(guideModules)
      const clients = guide === 'interop.md' ? [(await ensureInteropClients()).modules] : []
      const PYTHONPATH = [modules, ...clients].join(path.delimiter)
      const { stdout } = await run(python, ['-c', step], { env: { ...process.env, PYTHONPATH } })
      expect(stdout).toMatch(/\d/)
      return
    }
    if (language === 'js') {
      const modules = await ensureNpmPackages(scriptModules)
      if (!existsSync(workplace.path('node_modules'))) symlinkSync(modules, workplace.path('node_modules'))
      const args = ['--input-type=module', '--eval', step]
      const { stdout } = await run(process.execPath, args, { cwd: workplace.directory })
      expect(stdout).toMatch(/\d/)
      return
    }
    if (step.startsWith('ogr')) {
      await ensureFileReaders()
      const { stdout } = await run('bash', ['-c', step], { cwd: workplace.directory })
      if (step.startsWith('ogrinfo')) expect(stdout).toContain('earthquakes')
      return
    }
    if (step.startsWith('npx periplus ')) {
      const outcome = await workplace.run(step.split(' ').slice(2))
      expect(outcome, outcome.stderr).toMatchObject({ code: 0 })
      return
    }
    expect(step).toMatch(/^curl /)
    const command = step.replace(/^curl /, 'curl --silent --fail-with-body ')
    const { stdout } = await run('bash', ['-c', command], { cwd: workplace.directory })
    const output = / -o (\S+)/.exec(step)?.[1]
    if (output !== undefined) return expect(readFileSync(workplace.path(output)).length).toBeGreaterThan(100)
    expect(stdout).not.toMatch(/"errors":true|"totalnb":0|"features":\[\]|"elements":\[\]|"buckets":\[\]/)
    if (!step.includes('"size":0')) expect(stdout).not.toContain('"hits":[]')
    expect(stdout.length).toBeGreaterThan(10)
  })
})
