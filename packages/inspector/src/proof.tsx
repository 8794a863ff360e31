import type { MapProof, ReleaseProof } from '@symup/intake/inspector'
import type { JSX } from 'preact'
import { Fact, Prose } from './fact.tsx'
import { localized } from './reasons.ts'
import { addressOf } from './route.ts'
import { t } from './words.ts'

/** Shows the result of the intake's check, which resolves sample positions in each script with its source map. */
export function ProofFact({ proof }: { proof: ReleaseProof | undefined }): JSX.Element {
  return <Fact name="proven">{proof ? <Outcome proof={proof} /> : <span class="muted">{t('proving')}</span>}</Fact>
}

function Outcome({ proof: { items, left } }: { proof: ReleaseProof }): JSX.Element {
  if (items.length === 0 && left === 0) return <small class="muted">{t('nothingToTry')}</small>
  const total = items.reduce((sum, { places }) => sum + places, 0)
  const resolved = items.reduce((sum, item) => sum + item.resolved, 0)
  return (
    <>
      {items.every(isSound) && total === 0 ? (
        <span class="tag">{t('tooLittle')}</span>
      ) : (
        <span class={items.every(isSound) ? 'tag ok' : 'tag bad'}>{t('provenOf', { resolved, total })}</span>
      )}{' '}
      <small>
        {t('nScripts', { n: items.length })}
        {left > 0 && `; ${t('notTried', { n: left })}`}
      </small>
      <br />
      <small class="muted">{t('checkedByIntake')}</small>
    </>
  )
}

export function ProofTag({ proof }: { proof: MapProof }): JSX.Element {
  if (isSound(proof) && proof.places === 0) return <span class="tag">{t('tooLittle')}</span>
  return isSound(proof) ? <span class="tag ok">{t('resolves')}</span> : <span class="tag bad">{t('inDoubt')}</span>
}

export function ProofBadge({ proof }: { proof: ReleaseProof | undefined }): JSX.Element | null {
  if (!proof) return null
  const wrong = proof.items.filter((item) => !isSound(item)).length
  if (wrong > 0) return <span class="tag bad">{t('nDoNotResolve', { n: wrong })}</span>
  const isTried = proof.left === 0 && proof.items.some(({ places }) => places > 0)
  return isTried ? <span class="tag ok">{t('allResolve')}</span> : null
}

function isSound({ problems }: MapProof): boolean {
  return problems.length === 0
}

const MAX_SHOWN = 20

export function ProofProblems({ proof }: { proof: ReleaseProof | undefined }): JSX.Element | null {
  const wrong = proof?.items.filter((item) => !isSound(item)) ?? []
  if (wrong.length === 0) return null
  return (
    <section class="checklist" aria-labelledby="proof-title">
      <h2 id="proof-title">{t('wouldNotResolve')}</h2>
      <ul>
        {wrong.slice(0, MAX_SHOWN).map(({ id, title, problems }) => (
          <li key={id} class="bad">
            <p>
              <a href={addressOf('upload', { id })}>{title}</a>
            </p>
            {problems.map((problem) => {
              const { message, fix } = localized(problem)
              return (
                <p key={problem.message}>
                  <code class="muted">{problem.code}</code> <Prose text={message} /> <b>{t('fix')}:</b>{' '}
                  <Prose text={fix} />
                </p>
              )
            })}
          </li>
        ))}
      </ul>
      {wrong.length > MAX_SHOWN && <p class="muted">{t('andMore', { n: wrong.length - MAX_SHOWN })}</p>}
    </section>
  )
}
