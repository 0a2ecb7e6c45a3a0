import { useEffect, useState } from 'preact/hooks'
import { isAbort } from '../api/request.ts'
import { formatCount, formatDocuments } from '../format/numbers.ts'
import { Shimmer } from '../parts/messages.tsx'
import { Modal } from '../parts/modal.tsx'
import { openCollection, revision } from '../state/store.ts'
import { LoadForm } from './load-form.tsx'
import { type LoadChoices, type LoadProgress, type LoadReport, noChoices, runLoad } from './load-request.ts'
import { textOf, usePreview } from './preview.ts'

type Step =
  | { readonly kind: 'preview' }
  | { readonly kind: 'loading'; readonly choices: LoadChoices }
  | { readonly kind: 'done'; readonly report: LoadReport }

/** Dialog that loads a file: what the server found in it, with the guesses to correct, then progress and result. */
export function LoadPanel({ file, onClose }: { readonly file: File; readonly onClose: () => void }) {
  const [step, setStep] = useState<Step>({ kind: 'preview' })
  const [choices, setChoices] = useState<LoadChoices>(noChoices)
  const preview = usePreview(file, choices)
  const [progress, setProgress] = useState<LoadProgress>()
  const [problem, setProblem] = useState<string>()

  useEffect(() => {
    if (step.kind !== 'loading') return
    const controller = new AbortController()
    runLoad(file, step.choices, controller.signal, setProgress).then(
      (report) => {
        if (report.loaded?.rejected === 0) show(report)
        else setStep({ kind: 'done', report })
      },
      (error: unknown) => {
        if (controller.signal.aborted || isAbort(error)) return
        setProblem(textOf(error))
        setStep({ kind: 'preview' })
      },
    )
    // closing the dialog cancels the load
    return () => controller.abort()
  }, [step])

  const show = ({ collection }: LoadReport): void => {
    onClose()
    revision.value++
    if (collection !== undefined) openCollection(collection)
  }

  return (
    <Modal title={`Load ${file.name}`} onClose={onClose}>
      {step.kind === 'preview' && (
        <>
          {problem !== undefined && (
            <p class="problem" role="alert">
              {problem}.
            </p>
          )}
          {preview.columns === undefined && preview.problem === undefined ? (
            <Shimmer lines={5} />
          ) : (
            <LoadForm
              choices={choices}
              preview={preview}
              onChange={(change) => {
                setProblem(undefined)
                setChoices({ ...choices, ...change })
              }}
              onLoad={() => {
                setProgress(undefined)
                // the name of the preview, so that the file goes where the user saw it would
                setStep({ kind: 'loading', choices: { ...choices, name: preview.report?.index ?? choices.name } })
              }}
            />
          )}
        </>
      )}
      {step.kind === 'loading' && <Loading progress={progress} onCancel={onClose} />}
      {step.kind === 'done' && <Result report={step.report} onShow={() => show(step.report)} />}
    </Modal>
  )
}

function Loading({
  progress,
  onCancel,
}: {
  readonly progress: LoadProgress | undefined
  readonly onCancel: () => void
}) {
  return (
    <div class="form" role="status">
      <progress
        aria-label="Progress"
        {...(progress === undefined ? {} : { value: progress.bytes, max: Math.max(1, progress.size) })}
      />
      <p class="soft">{progress === undefined ? 'Uploading…' : `${formatDocuments(progress.documents)} loaded`}</p>
      <div class="row end">
        <button type="button" class="button" onClick={onCancel}>
          Cancel
        </button>
      </div>
    </div>
  )
}

const SHOWN_REJECTS = 20

function Result({ report, onShow }: { readonly report: LoadReport; readonly onShow: () => void }) {
  const { created = 0, replaced = 0, rejected = 0 } = report.loaded ?? {}
  return (
    <div class="form">
      <p role="status">
        {formatDocuments(created + replaced)} loaded, {formatCount(rejected)} rejected.
      </p>
      <ul class="rejects">
        {report.rejects.slice(0, SHOWN_REJECTS).map(({ line, reason, text }) => (
          <li key={line}>
            Line {line} {reason}: <code>{text.slice(0, 200)}</code>
          </li>
        ))}
      </ul>
      {rejected > SHOWN_REJECTS && <p class="soft">And {formatCount(rejected - SHOWN_REJECTS)} more.</p>}
      <div class="row end">
        <button type="button" class="button primary" onClick={onShow}>
          Show on the map
        </button>
      </div>
    </div>
  )
}
