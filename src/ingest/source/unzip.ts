import { createWriteStream } from 'node:fs'
import path from 'node:path'
import { type Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type Entry, openPromise, type ZipFile } from 'yauzl'
import { InputFault } from './input-fault.ts'

/** A file of an archive. */
export interface ZipMember {
  readonly name: string
  readonly bytes: number
  open(): Promise<Readable>
}

const MOST_MEMBERS = 10_000

/** Returns the files of an archive, without those of macOS and hidden ones. Close it when they are read. */
export async function openZip(
  file: string,
  name: string,
): Promise<{ readonly members: readonly ZipMember[]; close(): void }> {
  let zip: ZipFile
  const members: ZipMember[] = []
  try {
    zip = await openPromise(file, { lazyEntries: true, autoClose: false })
    for await (const entry of zip.eachEntry()) {
      if (members.length >= MOST_MEMBERS) throw new InputFault(`${name} has more than ${MOST_MEMBERS} files.`)
      const hidden = /(^|\/)(\.|__MACOSX\/)/.test(entry.fileName)
      if (!entry.fileName.endsWith('/') && !hidden) members.push(memberOf(zip, entry))
    }
  } catch (error) {
    if (error instanceof InputFault) throw error
    throw new InputFault(`${name} is a damaged zip archive: ${error instanceof Error ? error.message : String(error)}.`)
  }
  return { members, close: () => zip.close() }
}

const memberOf = (zip: ZipFile, entry: Entry): ZipMember => ({
  name: entry.fileName,
  bytes: entry.uncompressedSize,
  open: async () => {
    if (entry.isEncrypted()) throw new InputFault(`${entry.fileName} in the archive is encrypted; unpack it first.`)
    return zip.openReadStreamPromise(entry, {})
  },
})

/** Unpacks members into a folder, under their names without folders; at most `mostBytes` in total. */
export async function unpack(
  members: readonly ZipMember[],
  folder: string,
  mostBytes: number,
): Promise<readonly string[]> {
  let left = mostBytes
  const limit = () =>
    new Transform({
      transform(chunk: Uint8Array, _encoding, done) {
        left -= chunk.length
        if (left < 0) done(new InputFault(`The archive unpacks to more than ${mostBytes} bytes.`))
        else done(null, chunk)
      },
    })
  const files: string[] = []
  for (const [at, member] of members.entries()) {
    const base = path.basename(member.name.replaceAll('\\', '/'))
    const taken = files.some((file) => path.basename(file) === base)
    const target = path.join(folder, taken ? `${at}-${base}` : base)
    await pipeline(await member.open(), limit(), createWriteStream(target))
    files.push(target)
  }
  return files
}
