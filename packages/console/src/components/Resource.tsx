import type { SwitchboardEvent } from "@switchboard/client/promise"
import type { ComponentChildren } from "preact"
import { useId, useState } from "preact/hooks"
import { useEvents, useLatest } from "../app/LiveEvents.js"
import { ActionButton, type ActionButtonProps, Button, FormDialog, type FormDialogProps } from "./Actions.js"
import { Dialog } from "./Dialog.js"
import { Facts, type FactsProps, Identifier } from "./Facts.js"
import { Pending } from "./Notices.js"
import { type Back, useLoad, ViewHeader } from "./View.js"

type LoadResource<Value> = (options: { readonly signal?: AbortSignal }) => Promise<Value>

/** Every event of the types of a resource is about it. */
export const isAlways = (): boolean => true

/** Loads a resource, and again after each event of these types that is about it: by default, one with its id. */
export const useResource = <Value,>(
  id: string,
  load: LoadResource<Value>,
  events: ReadonlyArray<string> = [],
  isAbout = (event: SwitchboardEvent) => event.type !== "unknown" && "id" in event.data && event.data.id === id
) => {
  const loaded = useLoad((signal) => load({ signal }), [id])
  const refresh = useLatest(async () => loaded.replace(await load({})), events.length > 0)
  useEvents(events, (event) => isAbout(event) && refresh())
  return { ...loaded, refresh }
}

interface PendingViewProps {
  /** The heading until the resource is loaded. */
  readonly title: string
  readonly back?: Back
  readonly resource: { readonly error?: unknown; readonly reload: () => void }
}

/** A view of a resource that is loading, or could not be loaded. */
export const PendingView = ({ back, resource, title }: PendingViewProps) => (
  <>
    <ViewHeader title={title} back={back} />
    <Pending {...resource} />
  </>
)

interface CardProps {
  readonly title: ComponentChildren
  readonly class?: string
  readonly children: ComponentChildren
}

/** A card with a heading. */
export const Card = ({ children, class: layout = "", title }: CardProps) => {
  const id = useId()
  return (
    <section class={`card ${layout}`} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  )
}

/** The facts of a resource beside its content; its id last. */
export const FactsCard = ({ facts, id }: FactsProps & { readonly id?: string }) => (
  <section class="card" aria-label="Facts">
    <Facts facts={id === undefined ? facts : [...facts, ["Id", <Identifier key="id" label="id" value={id} />]]} />
  </section>
)

/** What another dialog shows when a form has been submitted. */
interface FormResult {
  readonly title: string
  readonly content: (close: () => void) => ComponentChildren
  readonly closed?: () => void
}

export interface ResultFormDialogProps extends Omit<FormDialogProps, "submit"> {
  /** Without a result, the dialog only closes. */
  readonly submit: (form: FormData) => Promise<FormResult | undefined>
}

/** A button that opens a form in a dialog, and its result in another. */
export const ResultFormDialog = ({ submit, ...form }: ResultFormDialogProps) => {
  const [result, setResult] = useState<FormResult>()
  const close = () => {
    setResult(undefined)
    result?.closed?.()
  }
  return (
    <>
      <FormDialog {...form} submit={async (data) => setResult(await submit(data))} />
      {result !== undefined && (
        <Dialog title={result.title} onClose={close}>
          {result.content(close)}
        </Dialog>
      )}
    </>
  )
}

/** A secret that the service shows only once. It is in the memory of the page until its dialog is closed. */
export const secretResult = (name: string, secret: string, closed: () => void): FormResult => ({
  title: `The new ${name}`,
  closed,
  content: (close) => (
    <div class="form">
      <p>Copy the {name} now: it is not shown again.</p>
      <Identifier label={name} value={secret} />
      <div class="form-actions">
        <Button label="Done" kind="primary" press={close} />
      </div>
    </div>
  )
})

type DeleteButtonProps = Omit<ActionButtonProps, "label" | "kind">

/** The button that deletes a resource. */
export const DeleteButton = (props: DeleteButtonProps) => <ActionButton {...props} label="Delete" kind="danger" />

interface SetActiveButtonProps extends Omit<ActionButtonProps, "label" | "action"> {
  readonly isActive: boolean
  readonly setActive: (isActive: boolean) => Promise<unknown>
}

/** The button that activates or deactivates a resource. */
export const SetActiveButton = ({ confirm, isActive, setActive, ...button }: SetActiveButtonProps) => (
  <ActionButton
    {...button}
    label={isActive ? "Deactivate" : "Activate"}
    {...(isActive && confirm !== undefined ? { confirm } : {})}
    action={() => setActive(!isActive)}
  />
)
