import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { serverFetch } from './server-fetch.ts'

/** File in the data directory that lets commands find the running server. */
export interface ServerFile {
  readonly pid: number
  readonly url: string
  /** SHA-256 of its certificate; absent: HTTP. */
  readonly certificate?: string | undefined
}

const fileIn = (directory: string): string => path.join(directory, 'server.json')

export function writeServerFile(directory: string, server: ServerFile): void {
  writeFileSync(fileIn(directory), `${JSON.stringify(server)}\n`)
}

export function removeServerFile(directory: string): void {
  rmSync(fileIn(directory), { force: true })
}

/** Returns the server that uses the directory if it responds. Ignores a file left by a crash. */
export async function findServer(directory: string): Promise<ServerFile | undefined> {
  const server = readServerFile(directory)
  if (server === undefined || !isAlive(server.pid)) return undefined
  return (await answers(server)) ? server : undefined
}

function readServerFile(directory: string): ServerFile | undefined {
  let content: unknown
  try {
    content = JSON.parse(readFileSync(fileIn(directory), 'utf8'))
  } catch {
    // missing, or truncated by a crash: no running server
    return undefined
  }
  if (typeof content !== 'object' || content === null || !('pid' in content) || !('url' in content)) return undefined
  const { pid, url } = content
  const certificate =
    'certificate' in content && typeof content.certificate === 'string' ? content.certificate : undefined
  return typeof pid === 'number' && typeof url === 'string' ? { pid, url, certificate } : undefined
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // EPERM: the process exists and belongs to another user
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

async function answers({ url, certificate }: ServerFile): Promise<boolean> {
  try {
    const send = await serverFetch(url, { fingerprint: certificate })
    // needs no credentials
    const response = await send(`${url}/livez`, { signal: AbortSignal.timeout(10_000) })
    await response.text()
    return response.status === 200 && response.headers.get('x-request-id') !== null
  } catch {
    // connection refused or timed out: no server
    return false
  }
}
