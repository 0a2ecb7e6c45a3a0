export type Purpose = 'measuring' | 'developing' | 'testing'

/** Parameters of a command that starts a server. */
export interface Launch {
  readonly home: string
  readonly java: string
  readonly work: string
  readonly heapMiB: number
  readonly purpose: Purpose
  readonly jvmOptions: readonly string[]
}

export interface ServerCommand {
  readonly command: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
}
