import { render } from 'preact'
import { App } from './app.tsx'
import { connection } from './connection.ts'
import { LANGUAGE } from './words.ts'
import './style/index.css'

document.documentElement.lang = LANGUAGE
connection.open()
render(<App />, document.getElementById('app') as HTMLElement)
