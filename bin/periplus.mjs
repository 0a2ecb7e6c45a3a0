#!/usr/bin/env node
import path from 'node:path'
import { buildPageFor } from '../scripts/build-page.mjs'
import { ensureInstalled, root } from '../scripts/install.mjs'
import { launch } from '../scripts/launch.mjs'

// `npx periplus ...`: the command line, run by the pinned Node.
const args = process.argv.slice(2)
ensureInstalled()
await buildPageFor(args)
process.exitCode = await launch([path.join(root, 'src', 'cli', 'main.ts'), ...args])
