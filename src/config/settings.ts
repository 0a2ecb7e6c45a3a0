/** The settings of a server, resolved: defaults, file, environment and flags are already merged. */
export interface Settings {
  readonly server: ServerSettings
  readonly data: { readonly directory: string }
  readonly engine: EngineSettings
  readonly limits: Limits
  readonly inspire: { readonly required: boolean }
  readonly log: { readonly level: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent' }
}

export interface ServerSettings {
  readonly host: string
  readonly port: number
  /** Absolute URL under which clients reach the server, prefix included; links are made from it. */
  readonly publicUrl?: string
  /** Prefixes under which collections and explore answer too. */
  readonly aliases: readonly string[]
  /** Addresses or CIDR ranges whose X-Forwarded-* headers count. */
  readonly trustedProxies: readonly string[]
  readonly cors: { readonly enabled: boolean; readonly origins: readonly string[]; readonly credentials: boolean }
}

export interface EngineSettings {
  readonly kind: 'embedded'
  /** DuckDB memory limit in MiB. */
  readonly memoryMiB: number
  readonly threads: number
  /** Queries that may run at once; the others wait their turn. */
  readonly concurrency: number
}

export interface Limits {
  readonly size: number
  readonly vertices: number
  readonly patternLength: number
  readonly expressions: number
  readonly bodyBytes: number
  readonly bulkBytes: number
  readonly urlBytes: number
  readonly headerBytes: number
  readonly timeMs: number
  readonly exactDistinct: number
}
