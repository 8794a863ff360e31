import { assembledModules } from './assembly.ts'
import { writeFileSync } from 'node:fs'
for (const [p, t] of await assembledModules()) { if (p.includes('javascript')) writeFileSync(p, t); console.log(p, t.length) }
