import { statSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { makePackage } from './make-package.ts'

const HELP = `npm run package [-- --output DIR]

Makes periplus-VERSION.tgz, an npm package of the server with its page. Install it with
npm install -g ./periplus-VERSION.tgz

  --output DIR   folder of the tarball (default: the current directory)`

const { values } = parseArgs({ options: { output: { type: 'string', default: '.' }, help: { type: 'boolean' } } })
if (values.help === true) console.log(HELP)
else {
  const root = path.resolve(import.meta.dirname, '..', '..')
  const tarball = await makePackage({ root, output: path.resolve(values.output), say: (line) => console.error(line) })
  console.log(`${path.relative(process.cwd(), tarball)} (${(statSync(tarball).size / 1e6).toFixed(1)} MB)`)
}
