import { rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Settings } from '../../config/settings.ts'
import type { Followed, Following } from '../../ingest/follow/follow-rows.ts'
import { followRows } from '../../ingest/follow/follow-rows.ts'
import type { GrowingInput, Stretch } from '../../ingest/follow/growing-input.ts'
import type { InputPlace } from '../../ingest/follow/input-place.ts'
import { type LineFormat, takeRows } from '../../ingest/follow/read-stretch.ts'
import { loadFiles } from '../../ingest/load/load-files.ts'
import type { LoadReport, LoadTarget } from '../../ingest/load/load-target.ts'
import { FileSet } from '../../ingest/plan/file-set.ts'
import { describeTable } from '../../ingest/read/delimited/delimited-rows.ts'
import { detectFormat } from '../../ingest/read/shared/input-format.ts'
import { temporaryFile } from '../../ingest/source/temporary-file.ts'
import { ServerUnreachable } from '../client/connect.ts'
import type { Connection } from '../client/connection.ts'
import { CliFault, exitCodes } from '../terminal/cli-fault.ts'
import { Progress, printDocuments } from '../terminal/progress.ts'
import { targetOf } from './connected-target.ts'
import { type FollowedSource, followedSource } from './followed-input.ts'
import type { CommandOptions } from './load.ts'
import { readMappingFile } from './mapping-file.ts'
import { readPosition, writePosition } from './position-file.ts'
import { RejectFile } from './reject-file.ts'

export interface FollowOptions extends CommandOptions {
  readonly follow?: boolean
  /** File that keeps how far the input was read. */
  readonly position?: string
  /** Milliseconds between two looks at the source. */
  readonly interval?: number
}

/** Milliseconds between attempts to reach a server that was there before. */
const RETRY_MS = 1_000

/** Loads what is appended to a file, a URL or a pipe until the signal aborts. Returns the exit code. */
export async function follow(
  connection: Connection,
  name: string,
  options: FollowOptions,
  settings: Settings,
  signal: AbortSignal,
): Promise<number> {
  const source = followedSource(name, settings)
  if (source.format !== undefined && (options.format ?? source.format) !== source.format) {
    throw new CliFault(`Messages of a topic are JSON objects: omit --format ${options.format}.`, exitCodes.usage)
  }
  const { base, key, hasPlace } = source
  const positionFile = options.position ?? `${base}.position.json`
  const known = !hasPlace || options.replace === true ? undefined : readPosition(positionFile)
  if (known !== undefined && known.file !== key) {
    throw new CliFault(`${positionFile} is the position of ${known.file}: choose another file with --position.`)
  }
  const rejects = new RejectFile(options.rejects ?? `${base}.rejects.ndjson`, 'a')
  const progress = new Progress(process.stderr, undefined)
  const say = (text: string): void => {
    progress.clear()
    console.error(text)
  }
  const report: LoadReport = {
    say,
    start: () => undefined,
    reject: (rows) => rejects.add(rows),
    progress: (advance) => progress.update(advance),
  }
  const target = untilReached(targetOf(connection), signal, say)
  const input = await source.open({ from: known?.place, intervalMs: options.interval, say })
  const followed: Followed = { documents: 0, rejected: 0, bytes: 0, lines: known?.lines ?? 0 }
  try {
    const begun = known?.following ?? (await begin(input, source, target, report, followed, options, signal))
    if (begun === undefined) return exitCodes.done
    const following = begun
    const save = async (lines: number): Promise<void> => {
      const { place } = input
      if (place !== undefined) await writePosition(positionFile, { file: key, place, lines, following })
    }
    if (known === undefined) await save(followed.lines)
    else if ((await target.mappingOf(following.index)) === undefined) {
      throw new CliFault(`Index ${following.index} no longer exists: remove ${positionFile} to load ${name} again.`)
    } else say(`Going on ${describePlace(known.place)} of ${name} (${positionFile}).`)
    if (hasPlace) say(`Following ${name} into index ${following.index} of ${connection.where}; stop with Ctrl+C.`)
    await followRows(input, following, target, report, followed, { signal, save })
    progress.clear()
    const rejected = followed.rejected > 0 ? `, rejected ${followed.rejected}: see ${rejects.path}` : ''
    say(`Stopped: loaded ${printDocuments(followed.documents)} into index ${following.index}${rejected}.`)
    return followed.rejected > 0 ? exitCodes.rejected : exitCodes.done
  } finally {
    progress.clear()
    rejects.close()
    await input.close()
  }
}

function describePlace(place: InputPlace): string {
  return 'group' in place ? `after the committed offsets (group ${place.group})` : `at byte ${place.offset}`
}

/** Loads the first rows as a file of their own, which decides everything. Undefined if the signal aborts before. */
async function begin(
  input: GrowingInput,
  { name, title, format: only }: FollowedSource,
  target: LoadTarget,
  report: LoadReport,
  followed: Followed,
  options: FollowOptions,
  signal: AbortSignal,
): Promise<Following | undefined> {
  for (let stretch = await input.next(signal); stretch !== undefined; stretch = await input.next(signal)) {
    const format = only === undefined ? formatOf(name, stretch, options) : { kind: only }
    const taken = format === undefined ? undefined : takeRows(stretch, format)
    if (format === undefined || taken === undefined || taken.rows.length === 0) {
      await input.advance(0)
      continue
    }
    const copy = temporaryFile()
    try {
      writeFileSync(copy.path, stretch.bytes.subarray(0, taken.bytes))
      const { mapping: mappingFile, ...others } = options
      const stated = mappingFile === undefined ? {} : { mapping: readMappingFile(mappingFile).mapping }
      const kind = format.kind === 'csv' ? 'csv' : 'ndjson'
      const delimiter = format.kind === 'csv' ? { delimiter: format.delimiter } : {}
      const files = new FileSet([{ file: copy.path, name }], { ...options, ...delimiter, format: kind })
      const given = { ...others, ...stated, grows: true }
      const { index, plan, loaded } = await loadFiles(target, files, title, given, report)
      followed.documents += (loaded?.created ?? 0) + (loaded?.replaced ?? 0)
      followed.rejected += loaded?.rejected ?? 0
      followed.lines += taken.lines
      followed.bytes += taken.bytes
      await input.advance(taken.bytes)
      const { id } = plan.paths
      if (id === undefined) report.say('No field identifies the documents: after a failure some may be loaded twice.')
      return { index, shape: plan.shape, format, ...(id === undefined ? {} : { idPath: id }) }
    } finally {
      rmSync(path.dirname(copy.path), { recursive: true, force: true })
    }
  }
  return undefined
}

/** Undefined if there are too few rows to tell. */
function formatOf(name: string, { bytes }: Stretch, options: FollowOptions): LineFormat | undefined {
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) {
    throw new CliFault(`${name} is compressed with gzip, and cannot be followed: load it without --follow.`)
  }
  const detected = options.format ?? (bytes[0] === 0x7b ? 'ndjson' : detectFormat(name, bytes))
  if (detected === 'ndjson') return { kind: 'ndjson' }
  if (detected !== 'csv' && detected !== 'tsv') {
    throw new CliFault('--follow reads NDJSON, CSV and TSV as UTF-8: state one with --format.', exitCodes.usage)
  }
  const whole = bytes
    .subarray(0, bytes.lastIndexOf(0x0a) + 1)
    .toString('utf8')
    .replace(/^\uFEFF/, '')
  const found = describeTable(whole, { ...(detected === 'tsv' ? { delimiter: '\t' } : {}), ...options })
  return found === undefined ? undefined : { kind: 'csv', ...found }
}

/** Repeats writes until the server is reached again. */
function untilReached(target: LoadTarget, signal: AbortSignal, say: (text: string) => void): LoadTarget {
  return {
    ...target,
    write: async (index, documents) => {
      for (let isFirst = true; ; isFirst = false) {
        try {
          return await target.write(index, documents)
        } catch (error) {
          if (!(error instanceof ServerUnreachable) || signal.aborted) throw error
          if (isFirst) say(`${error.message} Trying again until it responds.`)
          await pause(RETRY_MS, undefined, { signal }).catch(() => undefined)
        }
      }
    },
  }
}
