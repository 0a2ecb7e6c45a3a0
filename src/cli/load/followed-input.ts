import path from 'node:path'
import type { Settings } from '../../config/settings.ts'
import { GrowingFile } from '../../ingest/follow/growing-file.ts'
import type { GrowingInput } from '../../ingest/follow/growing-input.ts'
import { GrowingPipe } from '../../ingest/follow/growing-pipe.ts'
import { GrowingUrl } from '../../ingest/follow/growing-url.ts'
import type { InputPlace } from '../../ingest/follow/input-place.ts'
import { titleOf } from '../../ingest/source/open-sources.ts'
import { partFetcher } from './download-source.ts'

/** Time between two looks at a file, and two requests to a URL, in milliseconds. */
const FILE_INTERVAL_MS = 200
const URL_INTERVAL_MS = 10_000

/** What `--follow` names. */
export interface FollowedSource {
  /** As given. */
  readonly name: string
  /** Full path of a file, or the URL: a position is valid for it only. */
  readonly key: string
  /** Beginning of the names of the files that are kept for it. */
  readonly base: string
  /** Name for the index. */
  readonly title: string
  /** True if reading can go on after a restart. */
  readonly hasPlace: boolean
  open(options: OpenOptions): Promise<GrowingInput>
}

interface OpenOptions {
  readonly from: InputPlace | undefined
  readonly intervalMs: number | undefined
  readonly say: (text: string) => void
}

export function followedSource(name: string, settings: Settings): FollowedSource {
  if (name === '-') {
    const open = async (): Promise<GrowingInput> => new GrowingPipe(process.stdin)
    return { name, key: name, base: 'stdin', title: 'documents', hasPlace: false, open }
  }
  const title = titleOf(name)
  const url = /^https?:/i.test(name) ? URL.parse(name) : null
  if (url !== null) return followedUrl(name, url, title, settings)
  const file = path.resolve(name)
  return {
    name,
    key: file,
    base: path.basename(name),
    title,
    hasPlace: true,
    open: async ({ from, intervalMs = FILE_INTERVAL_MS, say }) =>
      GrowingFile.open(file, { from: from !== undefined && 'inode' in from ? from : undefined, intervalMs, say }),
  }
}

function followedUrl(name: string, url: URL, title: string, settings: Settings): FollowedSource {
  const fetchPart = partFetcher(settings)
  return {
    name,
    key: name,
    base: path.basename(url.pathname) || url.hostname,
    title,
    hasPlace: true,
    open: async ({ from, intervalMs = URL_INTERVAL_MS, say }) =>
      new GrowingUrl(name, {
        from: from !== undefined && 'before' in from ? from : undefined,
        intervalMs,
        fetchPart,
        say,
      }),
  }
}
