import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { ApiCheckers } from '../../scripts/tools/api-checkers.ts'

const HERE = import.meta.dirname

export interface CheckRun {
  readonly seed: number
  /** Share of the operations on which all cases of a schema are tried; of the others, some. */
  readonly covered: number
  readonly args?: readonly string[]
  /** Sample values of path parameters, for the hooks. */
  readonly sample?: readonly unknown[]
}

export interface CheckReport {
  /** 0: no failures. */
  readonly exitCode: number
  /** Number of operations that were called. */
  readonly tested: number
  readonly selected: number
  readonly cases: number
  /** Output with all failures and the requests that reproduce them. */
  readonly output: string
}

/** Runs schemathesis with all its checks on a running server. */
export async function runSchemathesis(checkers: ApiCheckers, base: string, run: CheckRun): Promise<CheckReport> {
  const directory = await mkdtemp(join(tmpdir(), 'periplus-schemathesis-'))
  const report = join(directory, 'report.json')
  try {
    const config = join(directory, 'schemathesis.toml')
    await writeFile(config, await configFor(base, run.covered))
    const { exitCode, output } = await runModule(
      checkers,
      [
        ...['schemathesis.cli', '--config-file', config, 'run', `${base}/openapi.json`],
        ...['--checks', 'all', '--seed', String(run.seed), '--no-color'],
        ...['--report', 'json', '--report-json-path', report],
        ...(run.args ?? []),
      ],
      { directory, env: { PERIPLUS_SAMPLE: JSON.stringify(run.sample ?? []) } },
    )
    const { operations, test_cases } = JSON.parse(await readFile(report, 'utf8'))
    return { exitCode, output, tested: operations.tested, selected: operations.selected, cases: test_cases.generated }
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

/** The configuration, with operations at random for which the coverage phase is left out. */
async function configFor(base: string, covered: number): Promise<string> {
  const config = await readFile(join(HERE, 'schemathesis.toml'), 'utf8')
  if (covered === 1) return config
  const answer = await fetch(`${base}/openapi.json`)
  const { paths } = (await answer.json()) as { paths: Record<string, Record<string, { operationId?: string }>> }
  const names = Object.values(paths).flatMap((operations) => Object.values(operations).map((one) => one.operationId))
  const left = names.filter((name) => name !== undefined && Math.random() >= covered)
  return `${config}
[[operations]]
include-operation-id = ${JSON.stringify(left)}
phases.coverage.enabled = false
`
}

interface Place {
  readonly directory: string
  readonly env?: Readonly<Record<string, string>>
}

/** Runs a module of the checkers, with only the given environment variables. */
export async function runModule(
  { python, modules }: ApiCheckers,
  [module = '', ...args]: readonly string[],
  { directory, env }: Place,
): Promise<{ readonly exitCode: number; readonly output: string }> {
  const child = spawn(python, ['-m', module, ...args], {
    cwd: directory,
    env: {
      ...{ PATH: process.env.PATH ?? '', HOME: directory, PYTHONUTF8: '1', PYTHONDONTWRITEBYTECODE: '1' },
      PYTHONPATH: `${modules}:${HERE}`,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = new Promise<number>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => resolve(code ?? 1))
  })
  const [out, errors, exitCode] = await Promise.all([text(child.stdout), text(child.stderr), ended])
  return { exitCode, output: `${out}${errors}` }
}
