import { OTHER_MAJORS } from './built-frameworks.ts'
import { describeFrameworks } from './describe-frameworks.ts'

describeFrameworks(OTHER_MAJORS)
