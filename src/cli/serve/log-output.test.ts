import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { logOutput } from './log-output.ts'

function openLog(): { read: () => string; log: ReturnType<typeof logOutput> } {
  const directory = mkdtempSync(path.join(tmpdir(), 'periplus-log-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  const file = path.join(directory, 'log')
  return { log: logOutput(file), read: () => readFileSync(file, 'utf8') }
}

const request = '{"level":30,"msg":"request"}\n'
const write = '{"level":30,"audit":true,"msg":"write"}\n'

it('keeps the lines of requests for a block, and writes other lines at once, in order', async () => {
  const { log, read } = openLog()
  log.write(request)
  await new Promise((resolve) => setImmediate(resolve))
  expect(read()).toBe('')
  log.write(write)
  expect(read()).toBe(request + write)
})

it('writes the lines of requests without waiting for others', async () => {
  const { log, read } = openLog()
  log.write(request)
  await vi.waitFor(() => expect(read()).toBe(request), { timeout: 60_000 })
})

it('loses no line of a large number', () => {
  const { log, read } = openLog()
  for (let i = 0; i < 2_000; i++) log.write(request)
  log.flush()
  expect(read()).toBe(request.repeat(2_000))
})
