import type { FastifyInstance } from 'fastify'
import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import type { Tagging } from '../../tagging/tagging.ts'

/** Metrics of tagging. */
export function taggingMetrics(app: FastifyInstance, tagging: Tagging, registry: Registry): void {
  const registers = [registry]
  const documents = new Counter({
    name: 'periplus_tag_documents_total',
    help: 'Number of documents updated by tags and untags.',
    labelNames: ['action'],
    registers,
  })
  const seconds = new Histogram({
    name: 'periplus_tag_batch_seconds',
    help: 'Duration of one batch of a tag.',
    buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers,
  })
  const stop = tagging.onBatch((batch) => {
    documents.inc({ action: batch.action }, batch.documents)
    seconds.observe(batch.seconds)
  })
  app.addHook('onClose', async () => stop())
  new Gauge({
    name: 'periplus_tag_lag',
    help: 'Number of accepted tag requests that are not finished.',
    labelNames: ['collection'],
    registers,
    async collect() {
      this.reset()
      try {
        for (const [collection, lag] of await tagging.lag()) this.set({ collection }, lag)
      } catch (error) {
        // Do not fail the scrape: the other metrics matter most when the log fails.
        app.log.warn({ err: error }, 'metrics of the tag log could not be read')
      }
    },
  })
  new Counter({
    name: 'periplus_tag_log_bad_records_total',
    help: 'Number of invalid records in the tag log.',
    registers,
    collect() {
      this.reset()
      this.inc(tagging.badRecords)
    },
  })
}
