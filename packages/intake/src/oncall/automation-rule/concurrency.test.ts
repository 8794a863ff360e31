import { describeConcurrency } from './concurrency.fixture.ts'

describeConcurrency('SQLite')
