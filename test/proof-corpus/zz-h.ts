import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
const hash = createHash('sha256')
for (const room of ['proof', 'formats/source-map', 'kinds/javascript']) {
  const directory = join('/work/wt-proof/packages/core/src', room)
  for (const file of readdirSync(directory, { recursive: true, encoding: 'utf8' }).sort())
    if (file.endsWith('.ts') && !file.endsWith('.test.ts')) hash.update(readFileSync(join(directory, file)))
}
console.log(hash.digest('hex').slice(0, 8))
