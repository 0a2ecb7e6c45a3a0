import type { Settings } from '../../src/config/settings.ts'

/** The default settings, with a data directory and a silent log. */
export function testSettings(directory: string): Settings {
  return {
    server: {
      host: '127.0.0.1',
      port: 0,
      aliases: ['/arlas'],
      trustedProxies: [],
      cors: { enabled: true, origins: ['*'], credentials: false },
    },
    data: { directory },
    engine: { kind: 'embedded', memoryMiB: 1024, threads: 2, concurrency: 8 },
    limits: {
      size: 10_000,
      vertices: 5_000,
      patternLength: 1_000,
      expressions: 10_000,
      bodyBytes: 16 * 1024 * 1024,
      bulkBytes: 128 * 1024 * 1024,
      urlBytes: 64 * 1024,
      headerBytes: 64 * 1024,
      timeMs: 30_000,
      exactDistinct: 100_000,
    },
    inspire: { required: false },
    log: { level: 'silent' },
  }
}
