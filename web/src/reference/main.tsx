import { render } from 'preact'
import { Reference } from './reference.tsx'
import '../style/base.css'
import '../style/reference.css'

const root = document.getElementById('reference')
if (root !== null) render(<Reference />, root)
