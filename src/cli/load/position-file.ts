import { readFileSync } from 'node:fs'
import { open, rename } from 'node:fs/promises'
import { Type } from 'typebox'
import type { Following } from '../../ingest/follow/follow-rows.ts'
import type { InputPlace } from '../../ingest/follow/input-place.ts'
import { parseStored } from '../../model/json/stored-json.ts'
import { CliFault } from '../terminal/cli-fault.ts'

/** What a followed source needs to go on after a restart. */
export interface Position {
  /** Full path of the file, the URL or the topic. */
  readonly file: string
  readonly place: InputPlace
  readonly lines: number
  readonly following: Following
}

/** The other members were written together with these. */
const Stored = Type.Object({
  file: Type.String(),
  lines: Type.Integer({ minimum: 0 }),
  place: Type.Union([
    Type.Object({
      inode: Type.Integer(),
      offset: Type.Integer({ minimum: 0 }),
      head: Type.String(),
      headBytes: Type.Integer({ minimum: 0 }),
    }),
    Type.Object({ offset: Type.Integer({ minimum: 0 }), before: Type.String() }),
    Type.Object({ group: Type.String({ minLength: 1 }) }),
  ]),
  following: Type.Object({
    index: Type.String(),
    shape: Type.Object({}),
    format: Type.Object({ kind: Type.Union([Type.Literal('ndjson'), Type.Literal('csv')]) }),
  }),
})

/** Undefined if the file does not exist. */
export function readPosition(path: string): Position | undefined {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw new CliFault(`The position file ${path} cannot be read: ${String(error)}.`)
  }
  try {
    return parseStored(Type.Unsafe<Position>(Stored), text, 'position of a followed file')
  } catch {
    throw new CliFault(
      `The file ${path} is no position of a followed file: remove it, or choose another with --position.`,
    )
  }
}

/** Replaces the file, so that it is complete at any time. */
export async function writePosition(path: string, position: Position): Promise<void> {
  const next = `${path}.next`
  const file = await open(next, 'w', 0o600)
  try {
    await file.writeFile(`${JSON.stringify(position)}\n`)
    await file.datasync()
  } finally {
    await file.close()
  }
  await rename(next, path)
}
