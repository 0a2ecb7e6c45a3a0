#!/usr/bin/env node
import path from 'node:path'
import { ensureInstalled, root } from '../scripts/install.mjs'
import { launch } from '../scripts/launch.mjs'

// `npx periplus ...`: the command line, run by the pinned Node.
ensureInstalled()
process.exitCode = await launch([path.join(root, 'src', 'cli', 'main.ts'), ...process.argv.slice(2)])
