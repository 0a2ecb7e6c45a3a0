import { ask, RequestFault, send } from '../api/request.ts'

/** What the user states about a file; empty texts are left to the server. */
export interface LoadChoices {
  readonly name: string
  readonly existing: 'refuse' | 'append' | 'replace'
  readonly idPath: string
  readonly timestampPath: string
  readonly geometryPath: string
  readonly lon: string
  readonly lat: string
  readonly crs: string
  readonly dateOrder: string
}

export const noChoices: LoadChoices = {
  name: '',
  existing: 'refuse',
  idPath: '',
  timestampPath: '',
  geometryPath: '',
  lon: '',
  lat: '',
  crs: '',
  dateOrder: '',
}

export interface LoadColumn {
  readonly path: string
  readonly type: string
  readonly example?: string
}

export interface LoadReport {
  readonly index: string
  readonly collection?: string
  readonly loaded?: { readonly created: number; readonly replaced: number; readonly rejected: number }
  readonly rejects: readonly { readonly line: number; readonly reason: string; readonly text: string }[]
  readonly notes: readonly string[]
  readonly plan: { readonly columns: readonly LoadColumn[] }
}

export interface LoadProgress {
  readonly documents: number
  readonly bytes: number
  readonly size: number
}

type Line =
  | { readonly type: 'note' }
  | ({ readonly type: 'progress' } & LoadProgress)
  | ({ readonly type: 'report' } & LoadReport)
  | { readonly type: 'error'; readonly status: number; readonly error: string; readonly message: string }

function loadPath(file: File, choices: LoadChoices, others: Readonly<Record<string, string>>): string {
  const { existing, lon, lat, ...texts } = choices
  // one column is no place: the other is about to be chosen
  const place = lon === '' || lat === '' ? {} : { lon, lat }
  const stated = Object.entries({ ...texts, ...place }).filter(([, value]) => value.trim() !== '')
  const parameters = new URLSearchParams({ file: file.name, ...Object.fromEntries(stated), ...others })
  if (existing !== 'refuse') parameters.set(existing, 'true')
  return `load?${parameters}`
}

/** Returns what the server would do with a file. */
export const previewLoad = (file: File, choices: LoadChoices, signal: AbortSignal): Promise<LoadReport> =>
  ask(loadPath(file, choices, { dryRun: 'true' }), { method: 'POST', body: file, signal })

/** Returns the columns of a file that needs a choice before it can be loaded. */
export async function columnsOf(file: File, signal: AbortSignal): Promise<readonly LoadColumn[]> {
  // a name that no index has, so that only the file is looked at
  const name = `preview-${crypto.randomUUID()}`
  const path = loadPath(file, { ...noChoices, name }, { dryRun: 'true', collection: 'false' })
  const { plan } = await ask<LoadReport>(path, { method: 'POST', body: file, signal })
  return plan.columns
}

/** Loads a file. */
export async function runLoad(
  file: File,
  choices: LoadChoices,
  signal: AbortSignal,
  onProgress: (progress: LoadProgress) => void,
): Promise<LoadReport> {
  const headers = { accept: 'application/x-ndjson' }
  const response = await send(loadPath(file, choices, {}), { method: 'POST', body: file, headers, signal })
  for await (const line of linesOf(response)) {
    if (line.type === 'progress') onProgress(line)
    if (line.type === 'report') return line
    if (line.type === 'error') throw new RequestFault(line.status, line.error, line.message)
  }
  throw new RequestFault(0, 'UNREADABLE', 'The server stopped before the file was loaded')
}

async function* linesOf(response: Response): AsyncGenerator<Line, void, undefined> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  if (reader === undefined) return
  let rest = ''
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    const lines = `${rest}${next.value}`.split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) yield JSON.parse(line) as Line
  }
}
