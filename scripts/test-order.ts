import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** The order of the projects: those without services first, because services start meanwhile. */
const PROJECTS = ['embedded', 'files', 'openapi', 'browser', 'cluster']

/** Files that wait for processes of their own start first in their project, so that others run while they wait. */
const WAITING = /^test\/(?:fault|crash|dialects|cli|docs)\/|kafka/

/** Sorts test files so that two cores are busy from the start to the end. */
export class TestOrder extends BaseSequencer {
  override async sort(specifications: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ project, moduleId }: TestSpecification): number =>
      PROJECTS.indexOf(project.name) * 2 + (WAITING.test(moduleId.slice(project.config.root.length + 1)) ? 0 : 1)
    const sorted = await super.sort(specifications)
    return sorted.toSorted((a, b) => rank(a) - rank(b))
  }
}
