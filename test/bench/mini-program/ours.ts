// What `symup mini-program pack` and the intake's check do, without the command around them.
import { checkMiniProgramArchive } from '@symup/core/internal'
import { pack } from '@symup/mini-program'

const [work, input = '', output = ''] = process.argv.slice(2)
const done = work === 'pack' ? await pack(input, { output }) : await checkMiniProgramArchive(input)
if (!('ok' in done ? done.ok : done.archive)) throw new Error(JSON.stringify(done))
