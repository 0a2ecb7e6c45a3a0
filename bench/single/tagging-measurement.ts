import { setTimeout as delay } from 'node:timers/promises'
import { startOpensearch } from '../../scripts/cluster/opensearch-node.ts'
import { startServerProcess } from '../../test/support/server-process.ts'
import type { BulkFile } from '../data/bulk-file.ts'
import { collection } from '../data/documents.ts'
import { withBulkFile } from '../data/work-directory.ts'
import { loadOne } from '../measure/loading.ts'
import { peakMemoryMiB, resetPeakMemory } from '../measure/process-figures.ts'
import { summarise, type Timing, timed } from '../measure/timing.ts'
import type { BenchOptions } from '../options.ts'
import { allQuestions } from '../questions/all-questions.ts'
import { drawsOf } from '../questions/draws.ts'
import type { Question } from '../questions/question.ts'
import { machine, saveResult } from '../report/result-file.ts'
import { ms, table } from '../report/table.ts'
import { opensearchAt } from '../systems/opensearch.ts'
import { periplusAt } from '../systems/periplus.ts'

const json = { 'content-type': 'application/json' }

/** Poll interval of a running tag. */
const LOOK_MS = 200

/** Interval of tile requests while tags are running. */
const GLANCE_MS = 250

const QUESTION = 'geotile z10 inside a z4 tile'

/** One tag, and the response times of map tiles meanwhile. */
interface TagResult {
  readonly name: string
  readonly seconds: number
  readonly documentsPerSecond: number
  readonly meanwhile: Timing
  readonly peakMemoryMiB?: number
}

interface TagReport {
  readonly documents: number
  readonly seed: number
  readonly date: string
  readonly machine: string
  readonly before: Timing
  readonly tags: readonly TagResult[]
  /** Right after the tags, and after arrangement. */
  readonly after: Timing
  readonly arranged: Timing
  readonly updateByQuery?: { readonly seconds: number; readonly documentsPerSecond: number }
}

/** Tags every document while tiles are requested; does the same edit with OpenSearch if a node is given. */
export async function measureTagging(options: BenchOptions): Promise<void> {
  const question = allQuestions.find(({ name }) => name === QUESTION)
  if (question === undefined) throw new Error(`the query '${QUESTION}' does not exist`)
  await withBulkFile(options, async (file) => {
    const own = await measurePeriplus(options, file, question)
    const updateByQuery = await measureUpdateByQuery(options, file)
    const report: TagReport = {
      documents: options.documents,
      seed: options.seed,
      date: new Date().toISOString(),
      machine,
      ...own,
      ...(updateByQuery === undefined ? {} : { updateByQuery }),
    }
    console.log(`\n${render(report)}`)
    await saveResult(report, options.out)
  })
}

async function measurePeriplus(
  options: BenchOptions,
  file: BulkFile,
  question: Question,
): Promise<Pick<TagReport, 'before' | 'tags' | 'after' | 'arranged'>> {
  const flags = ['--set', 'cache.enabled=false']
  const server = await startServerProcess({ nodeFlags: process.execArgv, flags })
  const { base, pid } = server
  try {
    console.log('loading')
    await loadOne(periplusAt({ url: base, pid }), file, options.parallel)
    const tagged = JSON.stringify({ ...collection, taggable_fields: 'tags' })
    await timed(`${base}/collections/bench`, { method: 'PUT', headers: json, body: tagged })
    const mapping = JSON.stringify({ properties: { tags: { type: 'keyword' } } })
    await timed(`${base}/index/bench/_mapping`, { method: 'PUT', headers: json, body: mapping })
    const draws = drawsOf(question, { ...options, time: 'none' })
    let next = 0
    const ask = async (): Promise<number> => {
      const draw = draws[next++ % draws.length]
      if (draw === undefined) throw new Error('there is no query')
      return (await timed(`${base}${question.periplus(draw).path}`, {})).ms
    }
    const askAll = async (): Promise<Timing> => {
      const times: number[] = []
      for (let n = 0; n < draws.length; n++) times.push(await ask())
      return summarise(times)
    }
    const tag = async (name: string, route: string, value: string): Promise<TagResult> => {
      console.log(name)
      await resetPeakMemory(pid)
      const started = performance.now()
      const body = JSON.stringify({ tag: { path: 'tags', value } })
      const { text } = await timed(`${base}/write/bench/${route}`, { method: 'POST', headers: json, body })
      const { id } = JSON.parse(text) as { id: string }
      let finished = false
      const times: number[] = []
      const looking = (async () => {
        while (!finished) {
          times.push(await ask())
          await delay(GLANCE_MS)
        }
      })()
      for (;;) {
        const status = JSON.parse((await timed(`${base}/status/bench/_tag/${id}`, {})).text) as Status
        if (status.progress === 100) {
          if (status.updated !== options.documents) throw new Error(`${name} updated ${status.updated}`)
          break
        }
        await delay(LOOK_MS)
      }
      const seconds = (performance.now() - started) / 1000
      finished = true
      await looking
      const peak = await peakMemoryMiB(pid)
      return {
        name,
        seconds,
        documentsPerSecond: options.documents / seconds,
        meanwhile: summarise(times),
        ...(peak === undefined ? {} : { peakMemoryMiB: peak }),
      }
    }
    await askAll()
    const before = await askAll()
    const tags = [
      await tag('add a value to every document', '_tag', 'first'),
      await tag('add it again', '_tag', 'first'),
      await tag('add a second value', '_tag', 'second'),
      await tag('remove the first', '_untag', 'first'),
    ]
    const after = await askAll()
    await timed(`${base}/index/bench/_forcemerge`, { method: 'POST' })
    return { before, tags, after, arranged: await askAll() }
  } finally {
    await server.stop()
    await server.removeData()
  }
}

interface Status {
  readonly progress: number
  readonly updated: number
}

/** The same edit as one update-by-query with a script, on a node with one shard. */
async function measureUpdateByQuery(
  { opensearch, startsOpensearch, documents, parallel }: BenchOptions,
  file: BulkFile,
): Promise<TagReport['updateByQuery']> {
  if (opensearch === undefined && !startsOpensearch) return undefined
  const node = opensearch === undefined ? await startOpensearch() : undefined
  const url = opensearch ?? node?.url ?? ''
  try {
    console.log('OpenSearch: loading')
    await loadOne(await opensearchAt(url), file, parallel)
    console.log('OpenSearch: update by query')
    const source =
      'if (ctx._source.tags == null) { ctx._source.tags = [params.v] } else if (!ctx._source.tags.contains(params.v)) { ctx._source.tags.add(params.v) } else { ctx.op = "noop" }'
    const body = JSON.stringify({ script: { lang: 'painless', source, params: { v: 'first' } } })
    const path = '/bench/_update_by_query?wait_for_completion=false&slices=auto&conflicts=proceed&refresh=true'
    const started = performance.now()
    const { task } = JSON.parse((await timed(`${url}${path}`, { method: 'POST', headers: json, body })).text) as {
      task: string
    }
    for (;;) {
      const { text } = await timed(`${url}/_tasks/${task}`, {})
      const { completed, response } = JSON.parse(text) as { completed: boolean; response?: { updated: number } }
      if (completed) {
        if (response?.updated !== documents) throw new Error(`update by query: ${text.slice(0, 500)}`)
        break
      }
      await delay(LOOK_MS)
    }
    const seconds = (performance.now() - started) / 1000
    return { seconds, documentsPerSecond: documents / seconds }
  } finally {
    await node?.stop()
  }
}

function render({ documents, before, tags, after, arranged, updateByQuery }: TagReport): string {
  const whole = (value: number): string => Math.round(value).toString()
  const edits = tags.map((one) => [
    one.name,
    whole(one.documentsPerSecond),
    `${one.seconds.toFixed(1)} s`,
    ms(one.meanwhile.median),
    ms(one.meanwhile.p95),
    one.peakMemoryMiB === undefined ? '-' : `${one.peakMemoryMiB} MiB`,
  ])
  const theirs =
    updateByQuery === undefined
      ? []
      : [
          [
            'OpenSearch, update by query',
            whole(updateByQuery.documentsPerSecond),
            `${updateByQuery.seconds.toFixed(1)} s`,
          ],
        ]
  const asked = (name: string, timing: Timing): string[] => [name, ms(timing.median), ms(timing.p95)]
  return [
    `${documents} documents`,
    table([
      ['tagging of all documents', 'documents/s', 'time', 'tile meanwhile (ms)', 'p95', 'peak memory'],
      ...edits,
      ...theirs.map((row) => [...row, '-', '-', '-']),
    ]),
    table([
      [`${QUESTION} (ms)`, 'median', 'p95'],
      asked('before', before),
      asked('after', after),
      asked('after arrangement', arranged),
    ]),
  ].join('\n\n')
}
