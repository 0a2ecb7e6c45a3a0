import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ensureNpmPackages } from '../../scripts/tools/npm-packages.ts'
import { type ServerProcess, startServerProcess } from '../support/server-process.ts'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../..', import.meta.url))
const guide = readFileSync(path.join(root, 'docs', 'operating.md'), 'utf8')
const block = (language: string): string => new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 's').exec(guide)?.[1] ?? ''

/** The generator needs the API of TypeScript 5, which cannot be installed beside the compiler of this project. */
const GENERATOR = {
  cache: 'client-generator',
  packages: ['openapi-typescript@7.13.0', 'openapi-fetch@0.17.0', 'typescript@5.9.3'],
}

const OPTIONS = {
  target: 'es2024',
  module: 'nodenext',
  lib: ['es2024', 'dom'],
  types: [],
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  allowImportingTsExtensions: true,
  noEmit: true,
}

describe('a TypeScript client that is generated from the OpenAPI document', () => {
  const place = mkdtempSync(path.join(tmpdir(), 'periplus-client-'))
  let server: ServerProcess
  const here = (text: string): string => text.replaceAll('http://localhost:9999', server.base)

  beforeAll(async () => {
    const [modules] = await Promise.all([
      ensureNpmPackages(GENERATOR),
      startServerProcess({ flags: ['--demo', '--log-level', 'warn'] }).then((started) => {
        server = started
      }),
    ])
    symlinkSync(modules, path.join(place, 'node_modules'))
    writeFileSync(path.join(place, 'package.json'), '{"type":"module"}')
    writeFileSync(path.join(place, 'tsconfig.json'), JSON.stringify({ compilerOptions: OPTIONS, include: ['*.ts'] }))
    const [command = '', name = '', ...args] = here(block('sh')).trim().split(' ')
    expect([command, name]).toEqual(['npx', 'openapi-typescript'])
    const generator = path.join(modules, 'openapi-typescript', 'bin', 'cli.js')
    await run(process.execPath, [generator, ...args], { cwd: place })
  })
  afterAll(async () => {
    await server.stop()
    await server.removeData()
    rmSync(place, { recursive: true, force: true })
  })

  /** The complaints of the compiler. */
  const check = async (): Promise<string> => {
    const tsc = path.join(root, 'node_modules', 'typescript', 'bin', 'tsc')
    return run(process.execPath, [tsc, '-p', place]).then(
      () => '',
      ({ stdout }: { stdout: string }) => stdout,
    )
  }

  test('has types without fault, and the program of the guide runs', async () => {
    writeFileSync(path.join(place, 'program.ts'), here(block('ts')))
    expect(await check()).toBe('')
    const { stdout } = await run(process.execPath, ['program.ts'], { cwd: place })
    expect(stdout).toMatch(/^39 \[.*'us[^']*'/s)
    expect(stdout).toMatch(/'Alaska: \d+'/)
  })

  test('refuses what the server would refuse', async () => {
    const wrong = here(block('ts'))
      .replace("'/explore/{collection}/_search'", "'/explore/{collection}/_find'")
      .replace('aggregations:', 'aggregation:')
    writeFileSync(path.join(place, 'program.ts'), wrong)
    const complaints = await check()
    expect(complaints).toContain('_find')
    expect(complaints).toContain("'aggregation'")
  })
})
