import { describeVerdicts, itFindsNothing, useProject } from './deliveries.ts'

useProject()
describeVerdicts('world')
itFindsNothing()
