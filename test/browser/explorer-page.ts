import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { PATIENT } from '../support/patience.ts'

/** A page of the explorer, with all it asked for and all it complained about. */
export interface ExplorerPage {
  readonly page: Page
  /** Addresses asked for, in order, decoded, relative to the server. */
  readonly asked: string[]
  readonly complaints: string[]
  /** Waits until nothing is on its way and nothing new is asked for. */
  settle(): Promise<void>
  /** What it asked for while something was done and settled. */
  during(act: () => Promise<unknown>): Promise<readonly string[]>
  /** When the last answer came, in milliseconds since the epoch. */
  lastAnswer(): number
  close(): Promise<void>
}

const QUIET_MS = 700

/** Opens an address and waits for what it shows first. */
export async function openPage(
  browser: Browser,
  address: string,
  options: BrowserContextOptions = {},
): Promise<ExplorerPage> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    locale: 'en-GB',
    colorScheme: 'light',
    // frames are drawn by the processor, and those in between show nothing that is looked at
    reducedMotion: 'reduce',
    permissions: ['clipboard-read', 'clipboard-write'],
    ...options,
  })
  context.setDefaultTimeout(PATIENT.timeout)
  const page = await context.newPage()
  const { origin } = new URL(address)
  const asked: string[] = []
  const complaints: string[] = []
  const running = new Set<unknown>()
  let changed = Date.now()
  let answered = changed
  page.on('request', (request) => {
    running.add(request)
    changed = Date.now()
    const url = request.url()
    // the browser asks for the icon again whenever the address changes
    if (/^(data|blob):/.test(url) || url.endsWith('.svg')) return
    if (!url.startsWith(origin)) complaints.push(`asked another host: ${url}`)
    asked.push(decodeURIComponent(url.slice(origin.length + 1)))
  })
  const ended = (request: unknown): void => {
    running.delete(request)
    changed = Date.now()
    answered = changed
  }
  page.on('requestfinished', ended)
  page.on('requestfailed', ended)
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(String(error.stack)))
  const settle = async (): Promise<void> => {
    const until = Date.now() + PATIENT.timeout
    changed = Date.now()
    while (running.size > 0 || Date.now() - changed < QUIET_MS) {
      if (Date.now() > until) throw new Error(`still waiting for ${running.size} answers`)
      await page.waitForTimeout(50)
    }
  }
  await page.goto(address)
  // the first tiles have come, or there is something else to read
  await page.locator('.map[data-documents], main.notice :is(p, h1)').first().waitFor()
  await settle()
  return {
    page,
    asked,
    complaints,
    settle,
    during: async (act) => {
      const before = asked.length
      await act()
      await settle()
      return asked.slice(before)
    },
    lastAnswer: () => answered,
    close: () => context.close(),
  }
}

/** The number the counter shows. */
export async function counted({ page }: ExplorerPage): Promise<number> {
  return Number(((await page.locator('.total').textContent()) ?? '').replaceAll(/\D/g, ''))
}

/** How many documents the map says it has in view. */
export async function inView({ page }: ExplorerPage): Promise<number> {
  return Number(await page.locator('.map').getAttribute('data-documents'))
}

/** Whether the map shows cells or documents. */
export const shown = ({ page }: ExplorerPage): Promise<string | null> => page.locator('.map').getAttribute('data-shown')

/** Drags over a chart, from one share of its width to another. */
export async function brush({ page }: ExplorerPage, chart: string, from: number, to: number): Promise<void> {
  const box = await page.locator(`${chart} .brush`).first().boundingBox()
  if (box === null) throw new Error(`${chart} has no brush`)
  const y = box.y + box.height / 2
  await page.mouse.move(box.x + from * box.width, y)
  await page.mouse.down()
  await page.mouse.move(box.x + to * box.width, y, { steps: 6 })
  await page.mouse.up()
}

/** The kinds of requests among some: `_count`, `_aggregate term:region`, `tile`. */
export const kindsOf = (asked: readonly string[]): readonly string[] =>
  asked.map((path) => {
    const operation = /^explore\/[^/]+\/([^?/]+)/.exec(path)?.[1] ?? path
    if (operation === '_mvt') return 'tile'
    const agg = /agg=([^:&]+(?::[^:&]+)?)/.exec(path)?.[1]
    return agg === undefined ? operation : `${operation} ${agg}`
  })

interface FoundHit {
  readonly md: { readonly id: string; readonly centroid: { readonly coordinates: readonly number[] } }
  readonly data: Readonly<Record<string, unknown>>
}

/** What a search of the sample data answers, asked without the page. */
export async function hitsOf(base: string, query: string): Promise<readonly FoundHit[]> {
  const response = await fetch(`${base}/explore/earthquakes/_search?${query}`)
  return ((await response.json()) as { readonly hits: readonly FoundHit[] }).hits
}
