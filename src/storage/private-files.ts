import { chmodSync, lstatSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import path from 'node:path'

/** What others may do with a file. */
const OTHERS = 0o077
const STICKY = 0o1000

/** What Periplus keeps in a data directory, and what a file system puts into its root. */
const OWN_NAMES = /^(?:periplus\.|api-keys\.json|(?:sources|spill|server\.json|demo-loaded|lost\+found)$)/

let givenMask: number | undefined

/**
 * Files and directories this process makes from now on are for its owner alone, those of the database and its
 * temporary ones included, which are not opened by us.
 */
export function keepFilesPrivate(): void {
  givenMask ??= process.umask(OTHERS)
}

/** Makes a file a person asked for, with the mode their own umask gives it. */
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
 * Makes the data directory, or closes one that others can look into, with everything of ours in it. Says what could not
 * be closed. A directory that holds other things too keeps its mode: it may be a home, or /tmp.
 */
export function makePrivateDirectory(directory: string): string | undefined {
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  const { mode } = statSync(directory)
  const names = readdirSync(directory)
  const own = names.filter((name) => OWN_NAMES.test(name))
  const open = own.flatMap((name) => closeTree(path.join(directory, name)))
  if ((mode & OTHERS) !== 0) {
    if ((mode & STICKY) !== 0 || own.length < names.length) {
      open.push(`${directory}, which holds other things too, so its mode (${modeText(mode)}) was kept`)
    } else open.push(...close(directory, 0o700))
  }
  if (open.length === 0) return undefined
  return `Other users of this machine may look into ${listed(open)}`
}

/** Closes a file, or a directory with what is in it; the paths that stay open. */
function closeTree(file: string): readonly string[] {
  const entry = lstatSync(file, { throwIfNoEntry: false })
  // A link has no mode of its own; what it leads to is somebody else's decision.
  if (entry === undefined || entry.isSymbolicLink()) return []
  const isOpen = (entry.mode & OTHERS) !== 0
  if (!entry.isDirectory()) return isOpen ? close(file, 0o600) : []
  // The root of a file system has a directory that is for its administrator alone.
  if (path.basename(file) === 'lost+found') return []
  const inside = readdirSync(file).flatMap((name) => closeTree(path.join(file, name)))
  return isOpen ? [...inside, ...close(file, 0o700)] : inside
}

function close(file: string, mode: number): readonly string[] {
  try {
    chmodSync(file, mode)
    return []
  } catch (error) {
    // Another owner, or a file system without modes: worth a warning, and no reason not to start.
    const reason = error instanceof Error && 'code' in error ? String(error.code) : String(error)
    return [`${file} (chmod: ${reason})`]
  }
}

const modeText = (mode: number): string => (mode & 0o7777).toString(8)

const listed = (files: readonly string[]): string =>
  files.length <= 3 ? files.join('; ') : `${files.slice(0, 3).join('; ')} and ${files.length - 3} more`
