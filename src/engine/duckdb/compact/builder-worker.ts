import { buildAndStore } from './build-job.ts'
import { serveJobs } from './serve-jobs.ts'

/** What the builder thread can do. */
const jobs = { build: buildAndStore }

export type BuilderJobs = typeof jobs

serveJobs(jobs)
