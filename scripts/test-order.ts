import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** The order of the projects: those without services first, because services start meanwhile. */
const PROJECTS = ['embedded', 'files', 'openapi', 'browser', 'cluster']

/** Files that mostly wait for processes of their own. */
const WAITING = /^(?:test\/(?:fault|crash|dialects|cli|docs)|scripts)\/|kafka/

/** Orders test files so that both cores are busy from start to end: files that wait are spread among the others. */
export class TestOrder extends BaseSequencer {
  override async sort(specifications: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(specifications)
    // a project that is not listed comes last
    const names = new Set([...PROJECTS, ...sorted.map(({ project }) => project.name)])
    return [...names].flatMap((name) => {
      const files = sorted.filter(({ project }) => project.name === name)
      const waits = ({ project, moduleId }: TestSpecification): boolean =>
        WAITING.test(moduleId.slice(project.config.root.length + 1))
      return spread(
        files.filter(waits),
        files.filter((file) => !waits(file)),
      )
    })
  }
}

/** Puts `few` evenly among the first two thirds of `many`, so that none of them is the last. */
function spread<T>(few: readonly T[], many: readonly T[]): readonly T[] {
  const step = Math.floor((many.length * 2) / 3 / Math.max(few.length, 1))
  const begin = few.flatMap((one, i) => [one, ...many.slice(i * step, (i + 1) * step)])
  return [...begin, ...many.slice(few.length * step)]
}
