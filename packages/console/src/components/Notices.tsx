import { signal } from "@preact/signals"
import { isApiError, RequestError, requestIdOf } from "@switchboard/client/promise"
import type { ComponentChildren } from "preact"
import { serviceUrl } from "../app/Client.js"
import { Icon, IconButton } from "./Icon.js"

/** The words of an error. */
const errorText = (error: unknown): string => {
  if (error instanceof RequestError) return "The service cannot be reached. Check the connection and try again."
  if (isApiError(error) && error._tag === "RateLimitedError") {
    return `Too many requests. Try again in ${error.retryAfterSeconds} seconds.`
  }
  return error instanceof Error ? error.message : String(error)
}

/** The errors of the fields of a request: the path of each field and its words. */
const fieldErrors = (error: unknown): ReadonlyArray<readonly [string, string]> =>
  isApiError(error) && error._tag === "ValidationError"
    ? Object.entries(error.fields ?? {}).map(([path, messages]) => [path, messages.join(", ")] as const)
    : []

interface Toast {
  readonly id: number
  readonly text: string
  readonly isError: boolean
}

const toasts = signal<ReadonlyArray<Toast>>([])
let lastId = 0

/** Adds a notice. A failure that is shown already is not shown again. */
const add = (text: string, isError: boolean) => {
  if (isError && toasts.peek().some((toast) => toast.isError && toast.text === text)) return
  lastId += 1
  toasts.value = [...toasts.peek(), { id: lastId, text, isError }]
}

const remove = (id: number) => {
  toasts.value = toasts.peek().filter((toast) => toast.id !== id)
}

/** Shows for some seconds that an action succeeded. */
export const showDone = (text: string): void => add(text, false)

/** Shows until it is closed that an action failed. */
export const showFailed = (error: unknown): void => add(errorText(error), true)

/** The notices of actions, which screen readers read out. The end of the animation removes a notice of success. */
export const Toasts = () => (
  <div class="toasts" role="status" aria-live="polite">
    {toasts.value.map(({ id, isError, text }) => (
      <div key={id} class={isError ? "toast failed" : "toast"} onAnimationEnd={() => !isError && remove(id)}>
        <Icon name={isError ? "alert" : "check"} />
        <span>{text}</span>
        <IconButton icon="close" label="Close" title="" press={() => remove(id)} />
      </div>
    ))}
  </div>
)

/** An error with its words, its fields and the id of its request, with which the logs of the service can be searched. */
export const ErrorNotice = ({ error, retry }: { readonly error: unknown; readonly retry?: () => void }) => {
  const requestId = requestIdOf(error)
  const fields = fieldErrors(error)
  return (
    <div class="notice failed" role="alert">
      <Icon name="alert" />
      <div>
        <p>{errorText(error)}</p>
        {fields.length > 0 && (
          <ul>
            {fields.map(([path, words]) => (
              <li key={path}>
                <code>{path}</code> {words}
              </li>
            ))}
          </ul>
        )}
        {requestId !== undefined && (
          <p class="hint">
            Request <code>{requestId}</code>
          </p>
        )}
      </div>
      {retry !== undefined && (
        <button type="button" class="button" onClick={retry}>
          Try again
        </button>
      )}
    </div>
  )
}

/** In place of a value that is loading, or could not be loaded. */
export const Pending = ({ error, reload }: { readonly error?: unknown; readonly reload: () => void }) =>
  error === undefined ? (
    <p class="loading" role="status" aria-label="Loading" />
  ) : (
    <ErrorNotice error={error} retry={reload} />
  )

interface CopyButtonProps {
  readonly label: string
  readonly text: string
  /** Whether the label is shown beside the icon. */
  readonly isLabelled?: boolean
}

/** Copies a text to the clipboard. */
export const CopyButton = ({ isLabelled = false, label, text }: CopyButtonProps) => {
  const copy = () => navigator.clipboard.writeText(text).then(() => showDone("Copied"), showFailed)
  return (
    <button
      type="button"
      class={isLabelled ? "button" : "icon-button"}
      aria-label={label}
      title={label}
      onClick={() => void copy()}
    >
      <Icon name="copy" />
      {isLabelled && label}
    </button>
  )
}

/** A curl command that posts JSON to a path of the API. `$KEY` is the API key. */
export const curlCommand = (path: string, body: unknown): string =>
  `curl ${serviceUrl}/v1${path} \\
  -H "X-API-Key: $KEY" -H 'Content-Type: application/json' \\
  -d '${JSON.stringify(body)}'`

/** The command that sends a first message. */
export const sendCommand = (more: Readonly<Record<string, unknown>> = {}): string =>
  curlCommand("/messages", {
    channel: "email",
    ...more,
    to: [{ email: "ada@example.com" }],
    email: { subject: "Hello", text: "It works." }
  })

interface CommandProps {
  readonly text: string
  readonly label?: string
}

/** A command or other lines to copy. */
export const Command = ({ label = "Copy the command", text }: CommandProps) => (
  <div class="command">
    <pre>{text}</pre>
    <CopyButton text={text} label={label} />
  </div>
)

interface EmptyStateProps {
  readonly title: string
  /** What to do next. */
  readonly text: string
  /** A command that creates the first item. */
  readonly command?: string
  readonly children?: ComponentChildren
}

/** Says why a view has no content, and what to do next. */
export const EmptyState = ({ children, command, text, title }: EmptyStateProps) => (
  <section class="empty">
    <h2>{title}</h2>
    <p>{text}</p>
    {children}
    {command !== undefined && <Command text={command} />}
  </section>
)
