import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { PATIENT } from '../support/patience.ts'

/** An open explorer page with its requests and console errors. */
export interface ExplorerPage {
  readonly page: Page
  /** Requested URLs in order, decoded, relative to the server. */
  readonly asked: string[]
  readonly complaints: string[]
  /** Waits until no requests are in flight and no new ones are sent. */
  settle(): Promise<void>
  /** Returns the requests sent during an action, after the page has settled. */
  during(act: () => Promise<unknown>): Promise<readonly string[]>
  /** Time of the last response, in milliseconds since the epoch. */
  lastAnswer(): number
  close(): Promise<void>
}

const QUIET_MS = 700

/** Opens a URL and waits for the first content. */
export async function openPage(
  browser: Browser,
  address: string,
  options: BrowserContextOptions = {},
): Promise<ExplorerPage> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    locale: 'en-GB',
    colorScheme: 'light',
    // Frames are rendered by the CPU. Intermediate frames are not checked.
    reducedMotion: 'reduce',
    // So are pixels, which take most of the time: a quarter of them, with the same layout.
    deviceScaleFactor: 0.5,
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
    const url = request.url()
    // A live stream stays open.
    if (url.includes('/_live')) return
    running.add(request)
    changed = Date.now()
    // The browser requests the icon again whenever the URL changes.
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
      if (Date.now() > until) throw new Error(`still waiting for ${running.size} responses`)
      await page.waitForTimeout(50)
    }
  }
  await page.goto(address)
  // The first tiles have arrived, or a message is shown.
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

/** Returns the number shown by the counter. */
export async function counted({ page }: ExplorerPage): Promise<number> {
  return Number(((await page.locator('.total').textContent()) ?? '').replaceAll(/\D/g, ''))
}

/** Returns the number of documents in view, as shown by the map. */
export async function inView({ page }: ExplorerPage): Promise<number> {
  return Number(await page.locator('.map').getAttribute('data-documents'))
}

/** Returns whether the map shows cells or documents. */
export const shown = ({ page }: ExplorerPage): Promise<string | null> => page.locator('.map').getAttribute('data-shown')

/** Drags over a chart between two fractions of its width. */
export async function brush({ page }: ExplorerPage, chart: string, from: number, to: number): Promise<void> {
  const box = await page.locator(`${chart} .brush`).first().boundingBox()
  if (box === null) throw new Error(`${chart} has no brush`)
  const y = box.y + box.height / 2
  await page.mouse.move(box.x + from * box.width, y)
  await page.mouse.down()
  await page.mouse.move(box.x + to * box.width, y, { steps: 6 })
  await page.mouse.up()
}

/** Returns the kinds of the given requests: `_count`, `_aggregate term:region`, `tile`. */
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

/** Searches the sample data without the page. */
export async function hitsOf(base: string, query: string): Promise<readonly FoundHit[]> {
  const response = await fetch(`${base}/explore/earthquakes/_search?${query}`)
  return ((await response.json()) as { readonly hits: readonly FoundHit[] }).hits
}
