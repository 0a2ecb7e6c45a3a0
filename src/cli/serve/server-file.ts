import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/** What a running server leaves in its data directory, so that commands find it. */
export interface ServerFile {
  readonly pid: number
  readonly url: string
}

const fileIn = (directory: string): string => path.join(directory, 'server.json')

export function writeServerFile(directory: string, server: ServerFile): void {
  writeFileSync(fileIn(directory), `${JSON.stringify(server)}\n`)
}

export function removeServerFile(directory: string): void {
  rmSync(fileIn(directory), { force: true })
}

/** The server that uses the directory, when one does and answers. A file left behind by a crash counts for nothing. */
export async function findServer(directory: string): Promise<ServerFile | undefined> {
  const server = readServerFile(directory)
  if (server === undefined || !isAlive(server.pid)) return undefined
  return (await answers(server.url)) ? server : undefined
}

function readServerFile(directory: string): ServerFile | undefined {
  let content: unknown
  try {
    content = JSON.parse(readFileSync(fileIn(directory), 'utf8'))
  } catch {
    // none there, or cut short by a crash: either way no server to talk to
    return undefined
  }
  if (typeof content !== 'object' || content === null || !('pid' in content) || !('url' in content)) return undefined
  const { pid, url } = content
  return typeof pid === 'number' && typeof url === 'string' ? { pid, url } : undefined
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // EPERM: it is there, and somebody else's
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

async function answers(url: string): Promise<boolean> {
  try {
    // open to everybody, also where callers must show who they are
    const response = await fetch(`${url}/livez`, { signal: AbortSignal.timeout(3_000) })
    await response.body?.cancel()
    return response.ok && response.headers.get('x-request-id') !== null
  } catch {
    // refused or silent: the address belongs to nobody
    return false
  }
}
