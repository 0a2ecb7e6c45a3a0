import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, vi } from 'vitest'
import { PATIENT } from '../support/patience.ts'
import type { RunningServer, Workplace } from './periplus.ts'

const MAIN = path.join(fileURLToPath(new URL('../..', import.meta.url)), 'src', 'cli', 'main.ts')

/** A running command, such as `periplus load --follow`, which is a process of its own. */
export interface Follower {
  readonly process: ChildProcess
  readonly errors: () => string
  /** Returns the exit code. */
  readonly stop: (signal?: NodeJS.Signals) => Promise<number | null>
}

export const startFollower = (place: Workplace, name: string, ...args: readonly string[]): Follower =>
  startCommand(place, ['load', name, '--follow', ...args])

export function startCommand(place: Workplace, args: readonly string[]): Follower {
  const child = spawn(process.execPath, [MAIN, ...args, '--data', place.data], { cwd: place.directory })
  // A command that is stopped may not read all of it.
  child.stdin.on('error', () => undefined)
  const parts: string[] = []
  child.stderr.on('data', (part: Buffer) => parts.push(String(part)))
  const exited = once(child, 'exit')
  const stop = async (signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> => {
    child.kill(signal)
    const [code]: unknown[] = await exited
    return typeof code === 'number' ? code : null
  }
  return { process: child, errors: () => parts.join(''), stop }
}

export async function countOf(server: RunningServer, collection: string): Promise<unknown> {
  const response = await fetch(`${server.url}/explore/${collection}/_count`)
  const answer = (await response.json()) as { readonly totalnb?: number }
  return answer.totalnb
}

/** Waits until a collection has so many documents. */
export function hasCount(
  server: RunningServer,
  collection: string,
  expected: number,
  follower: Follower,
): Promise<void> {
  return vi.waitFor(
    async () => expect([await countOf(server, collection), follower.errors()]).toEqual([expected, expect.anything()]),
    PATIENT,
  )
}
