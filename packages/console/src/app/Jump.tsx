import { useState } from "preact/hooks"
import { Dialog } from "../components/Dialog.js"
import { idIn } from "../components/Format.js"
import { Icon, type IconName } from "../components/Icon.js"
import { useLoad } from "../components/View.js"
import { client } from "./Client.js"
import { navigate } from "./Location.js"
import { linkTo, paths } from "./Paths.js"
import { can } from "./SessionState.js"
import { permittedViews } from "./Views.js"

interface Target {
  readonly label: string
  readonly icon: IconName
  readonly href: string
}

type Get = (path: { readonly id: string }, options: { readonly signal: AbortSignal }) => Promise<unknown>

/** The resources that are found by their id. */
const kinds: ReadonlyArray<readonly [label: string, icon: IconName, path: `${string}/:id`, get: Get]> = [
  ["Message", "mail", paths.message, (path, options) => client.messages.get({ path }, options)],
  ["Thread", "reply", paths.thread, (path, options) => client.threads.get({ path }, options)],
  ["Conversation", "thread", paths.conversation, (path, options) => client.conversations.get({ path }, options)],
  ["Template", "template", paths.template, (path, options) => client.templates.get({ path }, options)],
  ["Webhook endpoint", "webhook", paths.webhook, (path, options) => client.webhookEndpoints.get({ path }, options)],
  ["API key", "key", paths.key, (path, options) => client.apiKeys.get({ path }, options)]
]

/** The resources that have this id. */
const targetsOfId = async (id: string | undefined, signal: AbortSignal): Promise<ReadonlyArray<Target>> => {
  if (id === undefined) return []
  const permitted = new Set(permittedViews().map(({ path }) => path))
  const found = await Promise.allSettled(
    kinds
      .filter(([, , path]) => permitted.has(path))
      .map(async ([label, icon, path, get]) => {
        await get({ id }, { signal })
        return { label: `${label} ${id}`, icon, href: linkTo(path, { id }) }
      })
  )
  return found.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []))
}

/** The views with the text in their name, and the search for messages. */
const targetsOfText = (text: string): ReadonlyArray<Target> => {
  const matching = permittedViews().flatMap(({ navigation, path }) =>
    navigation?.label.toLowerCase().includes(text.toLowerCase()) ? [{ ...navigation, href: linkTo(path, {}) }] : []
  )
  if (text === "" || !can("messages.read")) return matching
  const search = linkTo(paths.messages, {}, { search: text })
  return [...matching, { label: `Find messages: ${text}`, icon: "search", href: search }]
}

/** Moves the focus between the field and the links with the arrow keys. */
const moveFocus = (event: KeyboardEvent) => {
  const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0
  if (step === 0 || !(event.currentTarget instanceof HTMLElement)) return
  event.preventDefault()
  const stops = [...event.currentTarget.querySelectorAll<HTMLElement>("input, a")]
  stops[stops.findIndex((stop) => stop.matches(":focus")) + step]?.focus()
}

/** A dialog that finds views by their names, resources by their ids, and messages by a text. Enter opens the first. */
export const Jump = ({ onClose }: { readonly onClose: () => void }) => {
  const [text, setText] = useState("")
  const id = idIn(text)
  const { value: resources = [] } = useLoad((signal) => targetsOfId(id, signal), [id])
  // The resources of an earlier id stay until those of this one are loaded.
  const targets = [...resources.filter(({ href }) => href.endsWith(`/${id}`)), ...targetsOfText(text.trim())]
  const openFirst = (event: Event) => {
    event.preventDefault()
    const [first] = targets
    if (first !== undefined) navigate(first.href)
  }
  return (
    <Dialog title="Jump to" class="jump" onClose={onClose}>
      <form onSubmit={openFirst} onKeyDown={moveFocus}>
        <div class="search">
          <Icon name="search" />
          <input
            type="search"
            autofocus
            aria-label="View, id or address"
            placeholder="View, id or address"
            value={text}
            onInput={(event) => setText(event.currentTarget.value)}
          />
        </div>
        <ul aria-label="Targets">
          {targets.map(({ href, icon, label }) => (
            <li key={href}>
              <a href={href}>
                <Icon name={icon} />
                {label}
              </a>
            </li>
          ))}
        </ul>
        <p class="hint keys">
          <kbd>Enter</kbd> opens the first, <kbd>↓</kbd> and <kbd>↑</kbd> move, <kbd>Esc</kbd> closes
        </p>
      </form>
    </Dialog>
  )
}
