import { mkdir, readdir, readFile, rename, stat, writeFile } from 'node:fs/promises'
import { cpus } from 'node:os'
import { basename, dirname, join } from 'node:path'
import {
  type BenchResult,
  joinParts,
  PARTS,
  type PartName,
  RESULT_FORMAT,
  type ResultHeader,
  type ResultPart,
} from './result.ts'

export const machine = `${cpus().length} x ${cpus()[0]?.model ?? 'unknown processor'}`

const RESULTS = join('bench', 'results')
const HEADER_FILE = 'run.json'
const WHOLE_FILE = 'result.json'

/** A folder with one file for each finished part, so that a run that was interrupted can be resumed. */
export interface Run {
  /** Name to resume it with. */
  readonly name: string
  readonly folder: string
  /** Header of the first start. */
  readonly header: ResultHeader
  readonly finished: (part: PartName) => boolean
  readonly save: (part: PartName, measured: ResultPart) => Promise<void>
  readonly whole: () => BenchResult
  /** Saves the whole result as one file and returns its path. */
  readonly saveWhole: (out?: string) => Promise<string>
}

export interface RunOptions {
  readonly header: ResultHeader
  /** Name or folder of a run to resume. */
  readonly resume?: string
  /** Folder of all runs. */
  readonly results?: string
}

/** Starts a run, or resumes one; throws if that one has other documents or settings. */
export async function openRun({ header, resume, results = RESULTS }: RunOptions): Promise<Run> {
  // A path is accepted too, because shells complete it.
  const name = resume === undefined ? nameOf(header.date) : basename(resume)
  const folder = join(results, name)
  if (resume === undefined) {
    await mkdir(folder, { recursive: true })
    await writeJson(join(folder, HEADER_FILE), { format: RESULT_FORMAT, header })
    return runIn(folder, name, header, new Map())
  }
  const first = await readHeader(folder).catch(() => {
    throw new Error(`there is no run '${resume}' in ${results}`)
  })
  const other = otherOptions(first, header)
  if (other.length > 0) throw new Error(`run '${resume}' cannot be resumed: it has ${other.join(', ')}`)
  return runIn(folder, name, first, await readParts(folder))
}

/** Reads a whole result from its file, or from the folder of a run. */
export async function readResult(path: string): Promise<BenchResult> {
  if ((await stat(path)).isDirectory()) return joinParts(await readHeader(path), await readParts(path))
  const result = (await readJson(path)) as Partial<BenchResult>
  if (result.format !== RESULT_FORMAT) throw new Error(`${path} is not a result of this benchmark`)
  return result as BenchResult
}

/** Writes a report as JSON and prints its path. */
export async function saveResult(report: { readonly date: string }, out: string | undefined): Promise<void> {
  const file = out ?? join(RESULTS, `${nameOf(report.date)}.json`)
  await writeJson(file, report)
  console.log(`written to ${file}`)
}

function runIn(folder: string, name: string, header: ResultHeader, parts: Map<PartName, ResultPart>): Run {
  const whole = (): BenchResult => joinParts(header, parts)
  return {
    name,
    folder,
    header,
    finished: (part) => parts.has(part),
    save: async (part, measured) => {
      await writeJson(join(folder, fileOf(part)), measured)
      parts.set(part, measured)
    },
    whole,
    saveWhole: async (out = join(folder, WHOLE_FILE)) => {
      await writeJson(out, whole())
      return out
    },
  }
}

const nameOf = (date: string): string => date.replaceAll(':', '-')

const fileOf = (part: PartName): string => `${part.replaceAll(/[^a-z0-9]+/g, '-')}.json`

function otherOptions(first: ResultHeader, now: ResultHeader): readonly string[] {
  const flat = ({ documents, seed, settings }: ResultHeader) => ({ documents, seed, ...settings })
  const before: Readonly<Record<string, unknown>> = flat(first)
  const wanted: Readonly<Record<string, unknown>> = flat(now)
  return Object.keys({ ...before, ...wanted })
    .filter((name) => before[name] !== wanted[name])
    .map((name) => `${name} ${before[name] ?? 'unset'} instead of ${wanted[name] ?? 'unset'}`)
}

async function readHeader(folder: string): Promise<ResultHeader> {
  const { format, header } = (await readJson(join(folder, HEADER_FILE))) as Partial<BenchResult>
  if (format !== RESULT_FORMAT || header === undefined) throw new Error(`${folder} is not a run of this benchmark`)
  return header
}

async function readParts(folder: string): Promise<Map<PartName, ResultPart>> {
  const files = new Set(await readdir(folder))
  const parts = new Map<PartName, ResultPart>()
  for (const part of PARTS) {
    if (files.has(fileOf(part))) parts.set(part, (await readJson(join(folder, fileOf(part)))) as ResultPart)
  }
  return parts
}

const readJson = async (path: string): Promise<unknown> => JSON.parse(await readFile(path, 'utf8'))

/** A file is complete or absent, also if the process ends while it is written. */
async function writeJson(path: string, value: unknown): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(`${path}.part`, `${JSON.stringify(value, null, 2)}\n`)
  await rename(`${path}.part`, path)
}
