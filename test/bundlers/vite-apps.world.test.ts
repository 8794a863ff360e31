import * as vite6 from 'vite-6'
import * as vite7 from 'vite-7'
import { useIntake } from '../support/intake.ts'
import { describeNitro } from './properties/nitro.ts'
import { describeApps, type Vite } from './properties/vite-apps.ts'

const intake = useIntake()

describeApps([vite6, vite7] as unknown as Vite[], intake)
describeNitro([vite7] as unknown as Vite[], intake)
