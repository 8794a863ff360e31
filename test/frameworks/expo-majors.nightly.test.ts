import { describeExpo } from './describe-expo.ts'
import { MAJORS } from './majors.ts'

for (const packages of Object.values(MAJORS.expo)) describeExpo(packages)
