/** The parts of a Dockerfile that its test runs without a container engine. */
export interface ContainerRecipe {
  /** Shell commands of the build stage. */
  readonly run: readonly string[]
  /** Environment of the last stage. */
  readonly environment: Readonly<Record<string, string>>
  readonly user: string
  readonly healthCheck: readonly string[]
  /** Entry point with its default arguments. */
  readonly command: readonly string[]
}

/** Reads the instructions that the Dockerfile of this repository uses. */
export function readDockerfile(text: string): ContainerRecipe {
  const lines = text
    .replace(/^#.*\n/gm, '')
    .replace(/\\\n\s*/g, ' ')
    .split('\n')
    .filter((line) => line.trim() !== '')
  const valuesOf = (instruction: string): readonly string[] =>
    lines.flatMap((line) => (line.startsWith(`${instruction} `) ? [line.slice(instruction.length + 1).trim()] : []))
  const list = (value: string | undefined): readonly string[] => JSON.parse(value ?? '[]') as string[]
  const pairs = valuesOf('ENV').flatMap((value) => [...value.matchAll(/(\w+)=(\S+)/g)])
  return {
    run: valuesOf('RUN'),
    environment: Object.fromEntries(pairs.map(([, name = '', value = '']) => [name, value])),
    user: valuesOf('USER').at(-1) ?? 'root',
    healthCheck: list(/ CMD (\[.*\])$/.exec(valuesOf('HEALTHCHECK')[0] ?? '')?.[1]),
    command: [...list(valuesOf('ENTRYPOINT')[0]), ...list(valuesOf('CMD')[0])],
  }
}
