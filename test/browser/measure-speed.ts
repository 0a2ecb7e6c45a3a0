import { type ServerProcess, startServerProcess } from '../support/server-process.ts'
import { ensureChromium, launchChromium } from './chromium.ts'
import { brush, type ExplorerPage, openPage } from './explorer-page.ts'

/**
 * Measures the time from a pan or a brush until the last widget has its response, with many documents. Prints the
 * results and asserts nothing. Usage: `node test/browser/measure-speed.ts [DOCUMENTS]`, default 5000000.
 */
const documents = Number(process.argv[2] ?? 5_000_000)
const BATCH = 20_000
const ROUNDS = 7

const mapping = {
  properties: {
    id: { type: 'keyword' },
    kind: { type: 'keyword' },
    owner: { type: 'keyword' },
    at: { type: 'date', format: 'epoch_millis' },
    speed: { type: 'double' },
    place: { type: 'geo_point' },
  },
}

async function send(
  base: string,
  path: string,
  method: string,
  body: string,
  type = 'application/json',
): Promise<void> {
  const response = await fetch(`${base}${path}`, { method, body, headers: { 'content-type': type } })
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
  await response.body?.cancel()
}

/** Generates the same documents in every run: around a hundred places, over two years. */
function makeDocument(n: number): object {
  const random = (salt: number): number => {
    const wave = Math.sin(n * 12.9898 + salt * 78.233) * 43_758.5453
    return wave - Math.floor(wave)
  }
  const place = Math.floor(random(1) ** 2 * 100)
  const lon = ((place * 47) % 340) - 170 + (random(2) + random(3) - 1) * 12
  const lat = ((place * 29) % 120) - 55 + (random(4) + random(5) - 1) * 8
  const at = 1_600_000_000_000 + Math.floor(random(6) * 63_072_000_000)
  return {
    id: `d${n}`,
    kind: `kind ${place % 12}`,
    owner: `owner ${place}`,
    at,
    speed: Math.round(random(7) * 300) / 10,
    place: { lat, lon },
  }
}

async function load({ base }: ServerProcess): Promise<void> {
  await send(base, '/index/many', 'PUT', JSON.stringify({ mappings: mapping }))
  for (let from = 0; from < documents; from += BATCH) {
    const lines: string[] = []
    for (let n = from; n < Math.min(documents, from + BATCH); n++) {
      lines.push(`{"index":{"_id":"d${n}"}}`, JSON.stringify(makeDocument(n)))
    }
    await send(base, '/index/many/_bulk', 'POST', `${lines.join('\n')}\n`, 'application/x-ndjson')
  }
  const params = {
    index_name: 'many',
    id_path: 'id',
    timestamp_path: 'at',
    geometry_path: 'place',
    centroid_path: 'place',
  }
  await send(base, '/collections/many', 'PUT', JSON.stringify(params))
  await send(base, '/index/many/_forcemerge', 'POST', '')
}

/**
 * Returns the milliseconds from the end of an action to the last response it caused; undefined if it caused no
 * requests.
 */
async function timed(explorer: ExplorerPage, act: () => Promise<void>): Promise<number | undefined> {
  let start = 0
  const asked = await explorer.during(async () => {
    await act()
    start = Date.now()
  })
  return asked.length === 0 ? undefined : Math.max(0, explorer.lastAnswer() - start)
}

async function measure(explorer: ExplorerPage): Promise<void> {
  const map = await explorer.page.locator('.map-canvas').boundingBox()
  const [x, y] = [(map?.x ?? 0) + 450, (map?.y ?? 0) + 300]
  const pan = async (): Promise<void> => {
    await explorer.page.mouse.move(x, y)
    await explorer.page.mouse.down()
    await explorer.page.mouse.move(x - 330, y, { steps: 4 })
    await explorer.page.mouse.up()
  }
  const report = async (name: string, act: (round: number) => Promise<void>): Promise<void> => {
    const figures: number[] = []
    for (let round = 0; figures.length < ROUNDS; round++) {
      const figure = await timed(explorer, () => act(round))
      if (figure !== undefined) figures.push(figure)
    }
    figures.sort((a, b) => a - b)
    console.log(`${name}: median ${figures[Math.floor(ROUNDS / 2)]} ms, worst ${figures.at(-1)} ms`)
  }
  await report('pan', pan)
  await report('brush', (round) => brush(explorer, '.timeline', 0.1 + (round % 9) * 0.05, 0.3 + (round % 9) * 0.07))
}

const server = await startServerProcess({ flags: ['--log-level', 'warn'] })
const browser = await launchChromium(await ensureChromium())
try {
  const begun = Date.now()
  await load(server)
  console.log(`${documents} documents loaded in ${Math.round((Date.now() - begun) / 1000)} s`)
  const explorer = await openPage(browser, `${server.base}/#/many?map=20,0,3.5&rank=kind,owner&numbers=speed`, {
    reducedMotion: 'no-preference',
  })
  await measure(explorer)
} finally {
  await browser.close()
  await server.stop()
  await server.removeData()
}
