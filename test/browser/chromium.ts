import { type Browser, chromium } from 'playwright-core'
import { canInstallPackages, installPackages } from '../../scripts/tools/debian-packages.ts'
import { findTool, MissingTool } from '../../scripts/tools/missing-tool.ts'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome'] as const
const PACKAGES = ['chromium', 'fonts-dejavu-core'] as const

/** Disables background requests of the browser; WebGL is rendered by the CPU. */
const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
  '--force-color-profile=srgb',
  '--font-render-hinting=none',
]

async function findChromium(): Promise<string | undefined> {
  const found = await Promise.all(NAMES.map(findTool))
  return found.find((program) => program !== undefined)
}

/** Returns the path of the browser. Installs the Debian package if possible. */
export async function ensureChromium(say: (line: string) => void = () => undefined): Promise<string> {
  const present = await findChromium()
  if (present !== undefined) return present
  if (await canInstallPackages()) {
    say('Installing chromium (once, about a minute)...')
    await installPackages(PACKAGES).catch((error: unknown) => {
      throw new MissingTool(`chromium could not be installed: ${String(error).slice(-1000)}`)
    })
  }
  const found = await findChromium()
  if (found !== undefined) return found
  throw new MissingTool('chromium is required to test the explorer page, but is not installed: apt install chromium')
}

export const launchChromium = async (executablePath: string): Promise<Browser> =>
  chromium.launch({ executablePath, args: FLAGS })
