import { render } from 'preact'
import { startChoice } from './state/choice.js'
import { attempt } from './state/notices.js'
import { look, resumeOperator } from './state/operator.js'
import { periodic } from './state/periodic.js'
import { OperatorPage } from './views/operator-page.jsx'

const lookMillis = 2000

startChoice()
render(<OperatorPage />, document.getElementById('pages')!)
void attempt(resumeOperator)
periodic(lookMillis, look)
