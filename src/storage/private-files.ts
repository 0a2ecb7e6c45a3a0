import { chmodSync, lstatSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import path from 'node:path'

/** Mode bits of group and others. */
const OTHERS = 0o077
const STICKY = 0o1000

/** Names of Periplus files in a data directory, and of entries a file system creates in its root. */
const OWN_NAMES =
  /^(?:periplus\.|api-keys\.json|(?:sources|segments|journal|uploads|spill|server\.json|demo-loaded|lost\+found)$)/

let givenMask: number | undefined

/**
 * Makes new files and directories of this process accessible to the owner only. Sets the umask, because the database
 * and its temporary files are not opened by us.
 */
export function keepFilesPrivate(): void {
  givenMask ??= process.umask(OTHERS)
}

/** Creates a file requested by the user, with the mode of the user's umask. */
export function withGivenMask<T>(make: () => T): T {
  if (givenMask === undefined) return make()
  process.umask(givenMask)
  try {
    return make()
  } finally {
    process.umask(OTHERS)
  }
}

/**
 * Creates the data directory, or makes an existing one private, with all Periplus files in it. Returns a message if
 * some could not be made private. A directory that also contains other files keeps its mode: it may be a home
 * directory, or /tmp.
 */
export function makePrivateDirectory(directory: string): string | undefined {
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  const { mode } = statSync(directory)
  const names = readdirSync(directory)
  const own = names.filter((name) => OWN_NAMES.test(name))
  const open = own.flatMap((name) => closeTree(path.join(directory, name)))
  if ((mode & OTHERS) !== 0) {
    if ((mode & STICKY) !== 0 || own.length < names.length) {
      open.push(`${directory}, which also contains other files, so its mode (${modeText(mode)}) was kept`)
    } else open.push(...close(directory, 0o700))
  }
  if (open.length === 0) return undefined
  return `Other users of this machine may have access to ${listed(open)}`
}

/** Makes a file, or a directory and its contents, private. Returns the paths that could not be changed. */
function closeTree(file: string): readonly string[] {
  const entry = lstatSync(file, { throwIfNoEntry: false })
  // A symbolic link has no mode, and its target is not ours to change.
  if (entry === undefined || entry.isSymbolicLink()) return []
  const isOpen = (entry.mode & OTHERS) !== 0
  if (!entry.isDirectory()) return isOpen ? close(file, 0o600) : []
  // Created by the file system and accessible to the administrator only.
  if (path.basename(file) === 'lost+found') return []
  const inside = readdirSync(file).flatMap((name) => closeTree(path.join(file, name)))
  return isOpen ? [...inside, ...close(file, 0o700)] : inside
}

function close(file: string, mode: number): readonly string[] {
  try {
    chmodSync(file, mode)
    return []
  } catch (error) {
    // Different owner, or a file system without modes: warn, but start anyway.
    const reason = error instanceof Error && 'code' in error ? String(error.code) : String(error)
    return [`${file} (chmod: ${reason})`]
  }
}

const modeText = (mode: number): string => (mode & 0o7777).toString(8)

const listed = (files: readonly string[]): string =>
  files.length <= 3 ? files.join('; ') : `${files.slice(0, 3).join('; ')} and ${files.length - 3} more`
