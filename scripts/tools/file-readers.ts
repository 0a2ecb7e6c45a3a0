import { canInstallPackages, installPackages } from './debian-packages.ts'
import { findTool, MissingTool } from './missing-tool.ts'

/** Programs that read the exported files, by Debian package. */
const READERS = {
  ogrinfo: 'gdal-bin',
  ogr2ogr: 'gdal-bin',
  xmllint: 'libxml2-utils',
  pngcheck: 'pngcheck',
} as const

type FileReader = keyof typeof READERS

/** Installs the packages of missing programs, if possible. */
export async function ensureFileReaders(say: (line: string) => void = () => undefined): Promise<void> {
  if ((await missingReaders()).length === 0) return
  const packages = packagesOf(await missingReaders())
  if (await canInstallPackages()) {
    say(`Installing ${packages.join(', ')} (once, about a minute)...`)
    await installPackages(packages).catch((error: unknown) => {
      throw new MissingTool(`${packages.join(', ')} could not be installed: ${String(error).slice(-1000)}`)
    })
  }
  const missing = await missingReaders()
  if (missing.length === 0) return
  throw new MissingTool(
    `${missing.join(', ')}: required to read exported files, but not installed: ` +
      `apt install ${packagesOf(missing).join(' ')}, or brew install gdal libxml2 pngcheck`,
  )
}

async function missingReaders(): Promise<readonly FileReader[]> {
  const programs = Object.keys(READERS) as FileReader[]
  const found = await Promise.all(programs.map(findTool))
  return programs.filter((_, i) => found[i] === undefined)
}

const packagesOf = (programs: readonly FileReader[]): readonly string[] => [
  ...new Set(programs.map((program) => READERS[program])),
]
