import { readFileSync } from 'node:fs'
import { availableParallelism, cpus, totalmem } from 'node:os'
import { join } from 'node:path'
import { processTreeTicks } from './process-tree.ts'

/** The computer of a measurement. */
export interface Machine {
  readonly processor: string
  readonly cores: number
  readonly memoryMiB: number
}

export function thisMachine(): Machine {
  const limit = process.constrainedMemory()
  return {
    processor: cpus()[0]?.model ?? 'unknown processor',
    cores: availableParallelism(),
    // Without a limit of the container this is 0 or larger than the memory.
    memoryMiB: Math.round((limit > 0 ? Math.min(limit, totalmem()) : totalmem()) / 2 ** 20),
  }
}

/** The command that repeats the measurement. */
export function commandLine(args: readonly string[] = process.argv.slice(2)): string {
  const quoted = args.map((arg) => (/^[\w./:=,@-]+$/.test(arg) ? arg : `'${arg.replaceAll("'", "'\\''")}'`))
  return ['npm run bench', ...(quoted.length === 0 ? [] : ['--', ...quoted])].join(' ')
}

const ROOT = join(import.meta.dirname, '..', '..')

/** Versions by name: of Node, of the packages, and of the systems given. */
export function versions(
  systems: readonly { readonly name: string; readonly version: string }[] = [],
  packageText: string = readFileSync(join(ROOT, 'package.json'), 'utf8'),
): Readonly<Record<string, string>> {
  const { version, dependencies } = JSON.parse(packageText) as {
    readonly version: string
    readonly dependencies: Readonly<Record<string, string>>
  }
  return {
    Node: process.versions.node,
    Periplus: version,
    // The release number of the package follows the version of the database.
    DuckDB: dependencies['@duckdb/node-api']?.replace(/-r\..*$/, '') ?? 'unknown',
    ...Object.fromEntries(systems.map((system) => [system.name, system.version])),
  }
}

/** Counters of the kernel at one moment, in ticks since the start of the machine. */
export interface MachineSample {
  readonly total: number
  readonly idle: number
  readonly stolen: number
  /** Of this process and its descendants, as far as they are known. */
  readonly own: number
  /** Average of the last minute. */
  readonly loadAverage: number
}

/** What happened on the machine during a piece of work. */
export interface MachineUse {
  readonly seconds: number
  /** Share of the processor time that was wanted here but that the host gave to other machines. 0 to 1. */
  readonly stolen: number
  /** Share of all processor time that was used by processes other than the benchmark and its systems. 0 to 1. */
  readonly others: number
  readonly loadAverages: readonly [before: number, after: number]
}

interface Sampled {
  /** Processes that count as own with their descendants, for example a node that was not started here. */
  readonly roots?: readonly number[]
  readonly proc?: string
}

/** Undefined without /proc. */
export function sampleMachine({ roots = [process.pid], proc = '/proc' }: Sampled = {}): MachineSample | undefined {
  try {
    // Guest time, which follows, is part of user time.
    const fields = /^cpu +(.*)$/m
      .exec(readFileSync(join(proc, 'stat'), 'utf8'))?.[1]
      ?.split(' ')
      .slice(0, 8)
      .map(Number)
    const [user, nice, system, idle, waiting, interrupts, soft, stolen = 0] = fields ?? []
    if (user === undefined || idle === undefined || waiting === undefined) return undefined
    return {
      total: user + (nice ?? 0) + (system ?? 0) + idle + waiting + (interrupts ?? 0) + (soft ?? 0) + stolen,
      idle: idle + waiting,
      stolen,
      own: processTreeTicks(roots, proc),
      loadAverage: Number.parseFloat(readFileSync(join(proc, 'loadavg'), 'utf8')),
    }
  } catch {
    return undefined
  }
}

export function machineUse(before: MachineSample, after: MachineSample, seconds: number): MachineUse {
  const total = after.total - before.total
  const wanted = total - (after.idle - before.idle)
  const stolen = after.stolen - before.stolen
  const others = wanted - stolen - (after.own - before.own)
  return {
    seconds,
    stolen: wanted > 0 ? stolen / wanted : 0,
    // The counters of processes are a little ahead of those of the processors.
    others: total > 0 ? Math.max(0, others / total) : 0,
    loadAverages: [before.loadAverage, after.loadAverage],
  }
}

/** Does a piece of work and returns what happened on the machine meanwhile; undefined without /proc. */
export async function watchMachine<T>(
  work: () => Promise<T>,
  sampled: Sampled = {},
): Promise<{ readonly result: T; readonly use: MachineUse | undefined }> {
  const started = performance.now()
  const before = sampleMachine(sampled)
  const result = await work()
  const after = sampleMachine(sampled)
  const seconds = (performance.now() - started) / 1000
  return { result, use: before && after && machineUse(before, after, seconds) }
}

/** With a third missing, everything takes one and a half times as long. */
const DISTURBED = 1 / 3

export const isDisturbed = (use: MachineUse | undefined): boolean =>
  use !== undefined && (use.stolen > DISTURBED || use.others > DISTURBED)
