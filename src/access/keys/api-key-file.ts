import { closeSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs'
import path from 'node:path'
import { Type } from 'typebox'
import type { Settings } from '../../config/settings.ts'
import { Problem } from '../../errors.ts'
import { checkBody } from '../../model/check-body.ts'
import { ApiKeyRecord } from './api-key.ts'

const Content = Type.Object({ keys: Type.Array(ApiKeyRecord) }, { additionalProperties: false })

/** The API key file cannot be used. The message contains nothing of its content. */
export class KeyFileFault extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'KeyFileFault'
  }
}

export function keyFileOf({ auth, data }: Pick<Settings, 'auth' | 'data'>): string {
  return path.resolve(auth.apikey.file ?? path.join(data.directory, 'api-keys.json'))
}

/** Reads the API keys of a file. Returns none if the file does not exist. */
export function readKeyFile(file: string): readonly ApiKeyRecord[] {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw new KeyFileFault(`The API key file ${file} cannot be read: check its owner and mode`)
  }
  return parseKeys(text, file)
}

function parseKeys(text: string, file: string): readonly ApiKeyRecord[] {
  try {
    return checkBody(Content, JSON.parse(text)).keys
  } catch (error) {
    if (!(error instanceof Problem) && !(error instanceof SyntaxError)) throw error
    throw new KeyFileFault(`The API key file ${file} is damaged: restore it, or remove it and create new keys`)
  }
}

/**
 * Updates the keys of a file. Writes a draft next to it and renames it, so that a server never reads a partial file.
 * The draft also serves as a lock: a second update fails while it exists.
 */
export function changeKeyFile(file: string, change: (keys: readonly ApiKeyRecord[]) => readonly ApiKeyRecord[]): void {
  const draft = `${file}.new`
  const handle = openDraft(draft)
  try {
    const keys = change(readKeyFile(file))
    writeSync(handle, `${JSON.stringify({ keys }, null, 2)}\n`)
    fsyncSync(handle)
    closeSync(handle)
    renameSync(draft, file)
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  }
}

/** Creates the draft, readable by its owner only. */
function openDraft(draft: string): number {
  try {
    return openSync(draft, 'wx', 0o600)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'EEXIST') {
      throw new KeyFileFault(`Another command is changing the keys; if no command is running, remove ${draft}`)
    }
    throw new KeyFileFault(`The file ${draft} cannot be written: check that its directory exists and is writable`)
  }
}
