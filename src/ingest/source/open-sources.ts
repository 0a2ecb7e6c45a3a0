import { createWriteStream } from 'node:fs'
import { glob, mkdir, open, readdir, stat } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { describeForeign } from './foreign-file.ts'
import { InputFault } from './input-fault.ts'
import { temporaryFolder } from './temporary-file.ts'
import { openZip, unpack } from './unzip.ts'

/** A file to read. */
export interface Source {
  /** For messages: the path as given, with the name inside an archive. */
  readonly name: string
  /** Path of the file; `-` is standard input. */
  readonly file: string
}

/** The files of one load. */
export interface Sources {
  readonly files: readonly Source[]
  /** What an index of the documents may be named after. */
  readonly title: string
  /** Sentences about files that are not read. */
  readonly notes: readonly string[]
  /** Removes what was unpacked and downloaded. */
  close(): void
}

export interface SourceOptions {
  /** Saves the file of a URL in a folder and returns its path. Without it, URLs are refused. */
  readonly fetchFile?: (url: string, folder: string) => Promise<string>
  /** True for names that look like data; others in folders and archives are left out. */
  readonly isData: (name: string) => boolean
  /** Most bytes an archive may have when it is unpacked. */
  readonly mostUnpacked: number
  /** Folder for unpacked and downloaded files, instead of that of the system. */
  readonly folder?: string
  /** Name of the only file in messages, if it is not its path. */
  readonly shownName?: string
}

const DEFAULT_TITLE = 'documents'

/** Finds the files that arguments stand for: files, folders, patterns, archives, URLs and `-`. */
export async function openSources(names: readonly string[], options: SourceOptions): Promise<Sources> {
  const folder = temporaryFolder(options.folder)
  const expansion = new Expansion(folder.path, options)
  try {
    for (const name of names) await expansion.add(name)
    const { files, notes } = expansion
    if (files.length === 0) throw new InputFault(`${names.join(', ')} has no file that can be loaded.`)
    return { files, notes, title: titleOf(options.shownName ?? names[0]), close: folder.remove }
  } catch (error) {
    folder.remove()
    throw error
  }
}

/** Name for an index of the documents of a file: letters, digits, `-` and `_` of its base name. */
export function titleOf(first = ''): string {
  const pathname = isUrl(first) ? (URL.parse(first)?.pathname ?? '') : first
  const base = path
    .basename(pathname.replace(/\/+$/, ''))
    .replace(/[*?[\]{}]+/g, '')
    .replace(/\.+$/, '')
  const stem = base.replace(/(\.[a-z]{1,12}\d?)+$/i, '')
  const plain = stem.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
  const title = plain.replace(/[^a-z0-9_-]+/g, '-').replace(/^[-_]+|[-_]+$/g, '')
  return title === '' ? DEFAULT_TITLE : title
}

const isUrl = (name: string): boolean => /^https?:\/\//i.test(name)
const isPattern = (name: string): boolean => /[*?[{]/.test(name)

class Expansion {
  readonly files: Source[] = []
  readonly notes: string[] = []
  readonly #folder: string
  readonly #options: SourceOptions
  #unpacked = 0

  constructor(folder: string, options: SourceOptions) {
    this.#folder = folder
    this.#options = options
  }

  async add(name: string): Promise<void> {
    if (name === '-') this.files.push({ name, file: name })
    else if (isUrl(name)) await this.#addUrl(name)
    else if (await isFolder(name)) await this.#addFolder(name)
    else if (isPattern(name) && !(await exists(name))) await this.#addPattern(name)
    else await this.#addFile(name, this.#options.shownName ?? name)
  }

  async #addUrl(url: string): Promise<void> {
    const { fetchFile } = this.#options
    if (fetchFile === undefined) throw new InputFault(`${url} is a URL, which cannot be read here.`)
    await this.#addFile(await fetchFile(url, this.#folder), url)
  }

  async #addFolder(folder: string): Promise<void> {
    if (/\.gdb\/?$/i.test(folder)) {
      throw new InputFault(
        `${folder} cannot be loaded: this is an Esri file geodatabase: convert it with "ogr2ogr -f GPKG" first.`,
      )
    }
    const entries = await readdir(folder, { withFileTypes: true, recursive: true })
    const found = entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name))
    await this.#addAll(found, folder)
  }

  async #addPattern(pattern: string): Promise<void> {
    const found: string[] = []
    for await (const file of glob(pattern)) found.push(file)
    if (found.length === 0) throw new InputFault(`No file matches ${pattern}; check the path.`)
    await this.#addAll(found, pattern)
  }

  /** Adds the files that look like data, in order of their names; notes the others. */
  async #addAll(found: readonly string[], where: string): Promise<void> {
    const visible = found.filter((file) => !path.basename(file).startsWith('.')).toSorted()
    const data = visible.filter(this.#options.isData)
    const left = visible.filter((file) => !this.#options.isData(file) && !isPart(file))
    if (data.length === 0) throw new InputFault(`${where} has no file that can be loaded.`)
    if (left.length > 0) this.notes.push(`Not read in ${where}: ${left.map((file) => path.basename(file)).join(', ')}.`)
    for (const file of data) if (!(await isFolder(file))) await this.#addFile(file, file)
  }

  async #addFile(file: string, name: string): Promise<void> {
    if (!(await isZip(file))) {
      this.files.push({ name, file })
      return
    }
    const zip = await openZip(file, name)
    try {
      if (zip.members.some((member) => member.name === 'xl/workbook.xml')) {
        this.files.push({ name, file })
        return
      }
      const folder = path.join(this.#folder, `archive-${this.#unpacked++}`)
      await mkdir(folder)
      const wanted = zip.members.filter((member) => this.#options.isData(member.name) || isPart(member.name))
      const files = await unpack(wanted, folder, this.#options.mostUnpacked)
      const data = files.filter(this.#options.isData)
      if (data.length === 0) {
        const inside = zip.members.map((member) => member.name).slice(0, 10)
        throw new InputFault(`${name} cannot be loaded: ${await describeArchive(file, inside)}.`)
      }
      for (const each of data.toSorted()) await this.#addMember(each, `${name}/${path.basename(each)}`)
    } finally {
      zip.close()
    }
  }

  async #addMember(file: string, name: string): Promise<void> {
    if (this.#unpacked > 100) throw new InputFault(`${name} is nested in too many archives; unpack them first.`)
    await this.#addFile(file, name)
  }
}

async function describeArchive(file: string, members: readonly string[]): Promise<string> {
  if (members.includes('[Content_Types].xml')) return 'this is an Office file without a table'
  return `this is ${describeForeign(file, Buffer.from('PK\u0003\u0004', 'latin1'))} with ${members.join(', ')}`
}

/** Parts of a shapefile beside the `.shp` file. */
const isPart = (name: string): boolean => /\.(shx|dbf|prj|cpg|sbn|sbx|qix|qmd|qpj|shp\.xml)$/i.test(name)

async function isZip(file: string): Promise<boolean> {
  const handle = await open(file).catch(() => undefined)
  // a file that cannot be opened is reported by the reader
  if (handle === undefined) return false
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(4), 0, 4, 0)
    return bytesRead === 4 && buffer.readUInt32BE(0) === 0x504b0304
  } finally {
    await handle.close()
  }
}

const isFolder = async (file: string): Promise<boolean> => {
  const found = await stat(file).catch(() => undefined)
  return found?.isDirectory() === true
}

const exists = async (file: string): Promise<boolean> => (await stat(file).catch(() => undefined)) !== undefined

/** Saves the content of a stream as a file of the folder. */
export async function saveFile(folder: string, name: string, content: AsyncIterable<Uint8Array>): Promise<string> {
  const file = path.join(folder, path.basename(name) || 'download')
  await pipeline(Readable.from(content), createWriteStream(file))
  return file
}
