import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeWorkplace, type RunningServer } from '../cli/periplus.ts'

const run = promisify(execFile)
const folder = fileURLToPath(new URL('../../docs', import.meta.url))
const page = readFileSync(path.join(folder, 'subscriptions.md'), 'utf8')
const commands = [...page.matchAll(/```sh\n(.*?)```/gs)].flatMap(([, text = '']) => text.trim().split('\n'))

describe('the page about subscriptions', () => {
  const workplace = makeWorkplace()
  let server: RunningServer

  beforeAll(async () => {
    server = await workplace.serve(['--demo'])
  })
  afterAll(async () => {
    await server.stop()
    workplace.remove()
  })

  test('its commands make a subscription and list it', async () => {
    const answers: unknown[] = []
    for (const line of commands) {
      const here = line
        .replace('http://localhost:9999', server.url)
        .replace(/^curl /, 'curl --silent --show-error --fail-with-body ')
      answers.push(JSON.parse((await run('bash', ['-c', here])).stdout))
    }
    expect(answers).toMatchObject([
      { created_by: 'ann', title: 'Strong quakes of the Pacific', deleted: false },
      { count: 1, total: 1, subscriptions: [{ created_by: 'ann' }] },
    ])
  })

  test('points to files that exist', () => {
    for (const [, target = ''] of page.matchAll(/\]\((?!https?:)([^)#]+)/g)) {
      expect(() => readFileSync(path.join(folder, target)), target).not.toThrow()
    }
  })
})
