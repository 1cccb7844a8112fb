import { useEffect, useState } from "preact/hooks"
import { Button } from "../components/Actions.js"
import { Dialog } from "../components/Dialog.js"
import { Brand, Icon } from "../components/Icon.js"
import { EmptyState, Pending } from "../components/Notices.js"
import { isCommand, shortcut } from "../components/Shortcuts.js"
import { useLoad } from "../components/View.js"
import { Account } from "./Account.js"
import { isOffline } from "./Client.js"
import { Jump } from "./Jump.js"
import { discardUnsaved, navigate, type Place, pendingLeave, place } from "./Location.js"
import { linkTo, matchPath, paths } from "./Paths.js"
import { can } from "./SessionState.js"
import type { SessionDetails } from "./Types.js"
import { navigationGroups, permittedViews, type View, views } from "./Views.js"

/** The view, whose code is loaded when it is first shown. */
const Loaded = ({ params, view }: { readonly params: Readonly<Record<string, string>>; readonly view: View }) => {
  const { error, reload, value: Component } = useLoad(view.load, [view])
  return Component === undefined ? <Pending error={error} reload={reload} /> : <Component {...params} />
}

const ToStart = () => {
  useEffect(() => navigate(linkTo(paths.messages, {})), [])
  return null
}

const unknownView = (
  <EmptyState title="There is no such page" text="The address may be mistyped, or the page has moved." />
)

const forbiddenView = <EmptyState title="Not permitted" text="This session has no permission for this page." />

/** The view of the current URL. */
const CurrentView = () => {
  const { path } = place.value
  if (path === "/") return <ToStart />
  for (const view of views) {
    const params = matchPath(view.path, path)
    if (params === undefined) continue
    return can(view.permission) ? <Loaded key={path} view={view} params={params} /> : forbiddenView
  }
  return unknownView
}

/** The entry of a view in the navigation. */
const entryOf = ({ navigation, path }: View) => {
  if (navigation === undefined) return []
  const isCurrent = place.value.path === path || place.value.path.startsWith(`${path}/`)
  return [
    <li key={path}>
      <a href={linkTo(path, {})} aria-current={isCurrent ? "page" : undefined}>
        <Icon name={navigation.icon} />
        {navigation.label}
      </a>
    </li>
  ]
}

interface NavigationProps {
  readonly details: SessionDetails
  readonly jump: () => void
}

/** The jump, the entries of the views, and the account. */
const Navigation = ({ details, jump }: NavigationProps) => (
  <>
    <button type="button" class="jump-button" aria-haspopup="dialog" onClick={jump}>
      <Icon name="search" />
      Jump to
      <kbd>{shortcut("K")}</kbd>
    </button>
    <nav aria-label="Views">
      {navigationGroups.map((group) => {
        const entries = permittedViews()
          .filter(({ navigation }) => navigation?.group === group)
          .flatMap(entryOf)
        return entries.length === 0 ? null : (
          <ul key={group} aria-label={group}>
            {entries}
          </ul>
        )
      })}
    </nav>
    <Account {...details} />
  </>
)

/** Whether a dialog is open. Every navigation closes it. */
const useOpenAtPlace = () => {
  const [openedAt, setOpenedAt] = useState<Place>()
  return {
    isOpen: openedAt === place.value,
    open: () => setOpenedAt(place.peek()),
    close: () => setOpenedAt(undefined)
  }
}

/** On narrow pages: the button that opens the navigation as a dialog. */
const Menu = (props: NavigationProps) => {
  const { close, isOpen, open } = useOpenAtPlace()
  return (
    <>
      <button
        type="button"
        class="icon-button menu-button"
        aria-label="Menu"
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onClick={open}
      >
        <Icon name="menu" />
      </button>
      {isOpen && (
        <Dialog title="Menu" class="menu" onClose={close}>
          <Navigation {...props} />
        </Dialog>
      )}
    </>
  )
}

/** Asks to confirm that unsaved changes are discarded. */
const LeaveDialog = () => {
  const leave = pendingLeave.value
  if (leave === undefined) return null
  // The event `close` of a dialog can arrive after the next one is shown.
  const close = () => {
    if (pendingLeave.peek() === leave) pendingLeave.value = undefined
  }
  return (
    <Dialog title="Leave without saving?" onClose={close}>
      <div class="form">
        <p>The changes in this view are not saved.</p>
        <div class="form-actions">
          <Button label="Stay" press={close} />
          <Button
            label="Leave"
            kind="danger"
            press={() => {
              close()
              discardUnsaved()
              leave()
            }}
          />
        </div>
      </div>
    </Dialog>
  )
}

/** Whether a key enters text. The target of an event in a shadow tree, where the code editor is, is the first of its path. */
const entersText = (event: KeyboardEvent) => {
  const [target] = event.composedPath()
  return (
    target instanceof HTMLElement && (target.isContentEditable || target.closest("input, select, textarea") !== null)
  )
}

/** The shortcuts of all views: Ctrl+K jumps, and `/` moves the focus to the search of the view, or jumps without one. */
const useShortcuts = (jump: () => void) => {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const isJump = event.key.toLowerCase() === "k" && isCommand(event)
      const isSearch = event.key === "/" && !event.ctrlKey && !event.metaKey && !event.altKey
      if (document.querySelector("dialog[open]") !== null || !(isJump || (isSearch && !entersText(event)))) return
      event.preventDefault()
      const search = isSearch ? document.querySelector<HTMLInputElement>("main .search input") : null
      if (search === null) jump()
      else search.focus()
    }
    addEventListener("keydown", press)
    return () => removeEventListener("keydown", press)
  }, [])
}

/** The frame of all views, with the navigation at the side, or on narrow pages behind a button. */
export const Shell = ({ details }: { readonly details: SessionDetails }) => {
  const { close, isOpen, open } = useOpenAtPlace()
  useShortcuts(open)
  return (
    <div class="shell">
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <header class="sidebar">
        <Brand />
        <Menu details={details} jump={open} />
        <div class="sidebar-content">
          <Navigation details={details} jump={open} />
        </div>
      </header>
      <main id="main" tabIndex={-1}>
        {isOffline.value && (
          <p class="offline" role="status">
            The service does not respond. The console continues when it is back.
          </p>
        )}
        <CurrentView />
      </main>
      {isOpen && <Jump onClose={close} />}
      <LeaveDialog />
    </div>
  )
}
