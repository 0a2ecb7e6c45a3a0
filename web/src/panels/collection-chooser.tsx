import type { CollectionDescription, Counted } from '../api/answers.ts'
import { collectionName } from '../api/collection-fields.ts'
import { useQuery } from '../api/use-query.ts'
import { formatCount } from '../format/numbers.ts'
import { LoadButton } from '../load/dropped-file.tsx'
import { Icon } from '../parts/icon.tsx'
import { Popover } from '../parts/popover.tsx'
import { openCollection, state } from '../state/store.ts'
import { countPath } from '../state/widget-query.ts'

/** List of collections with names and document counts; counted when it is opened. */
export function CollectionChooser({ collections }: { readonly collections: readonly CollectionDescription[] }) {
  const chosen = collections.find(({ collection_name }) => collection_name === state.value.collection)
  const name = chosen === undefined ? (state.value.collection ?? 'Choose a collection') : collectionName(chosen)
  const button = (
    <>
      <span class="chosen-name">{name}</span>
      <Icon name="chevron" size={14} />
    </>
  )
  return (
    <Popover label={`Collection: ${name}`} button={button} buttonClass="button chooser">
      {(close) => (
        <>
          <ul class="collections">
            {collections.map((one) => (
              <CollectionRow
                key={one.collection_name}
                one={one}
                onChoose={() => {
                  if (one.collection_name !== state.value.collection) openCollection(one.collection_name)
                  close()
                }}
              />
            ))}
          </ul>
          <LoadButton onChoose={close} />
        </>
      )}
    </Popover>
  )
}

function CollectionRow({ one, onChoose }: { readonly one: CollectionDescription; readonly onChoose: () => void }) {
  const { collection_name: name, params } = one
  const { data, fault } = useQuery<Counted>(countPath(name, []))
  return (
    <li>
      <button type="button" aria-current={name === state.value.collection} onClick={onChoose}>
        <span class="collection-name">{collectionName(one)}</span>
        <span class="soft">
          {data !== undefined ? formatCount(data.totalnb) : fault === undefined ? '…' : 'not counted'}
        </span>
        <span class="soft collection-about">{params.dublin_core_element_name?.description ?? name}</span>
      </button>
    </li>
  )
}
