import './style/index.css'
import { render } from 'preact'
import { App } from './app.tsx'
import { connection } from './connection.ts'
import { loadReasons } from './reasons.ts'
import { showSteering } from './steering.ts'
import { LANGUAGE } from './words.ts'

document.documentElement.lang = LANGUAGE
showSteering()
connection.open()
const show = () => render(<App />, document.getElementById('app') as HTMLElement)
// If the translations cannot be loaded, the page shows the English messages from the intake.
loadReasons().then(show, show)
