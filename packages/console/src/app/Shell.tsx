import { useState } from "preact/hooks"
import { Brand } from "../components/Brand.js"
import { Dialog } from "../components/Dialog.js"
import { Icon } from "../components/Icon.js"
import { isOffline } from "./Connection.js"
import { CurrentView } from "./CurrentView.js"
import { discardUnsaved, leaveBy, type Place, pendingLeave, place } from "./Location.js"
import { linkTo } from "./Paths.js"
import { logOut } from "./Session.js"
import { can } from "./SessionState.js"
import { showFailed } from "./Toasts.js"
import type { SessionDetails } from "./Types.js"
import { navigationGroups, type View } from "./View.js"
import { views } from "./Views.js"

/** The entry of a view in the navigation, if the session may see the view. */
const entryOf = ({ navigation, path, permission }: View) => {
  if (navigation === undefined || (permission !== undefined && !can(permission))) return []
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

/** The entries of the views, the organization, and the log-out. */
const Navigation = ({ organization: { name }, roleName }: SessionDetails) => (
  <>
    <nav aria-label="Views">
      {navigationGroups.map((group) => {
        const entries = views.filter(({ navigation }) => navigation?.group === group).flatMap(entryOf)
        return entries.length === 0 ? null : (
          <ul key={group} aria-label={group}>
            {entries}
          </ul>
        )
      })}
    </nav>
    <div class="account">
      <span class="organization" title={name}>
        {name}
        {roleName !== undefined && <small>{roleName}</small>}
      </span>
      <button
        type="button"
        class="icon-button"
        aria-label="Log out"
        title="Log out"
        onClick={() => leaveBy(() => void logOut().catch(showFailed))}
      >
        <Icon name="logout" />
      </button>
    </div>
  </>
)

/** On narrow pages: the button that opens the navigation as a dialog. Every navigation closes it. */
const Menu = ({ details }: { readonly details: SessionDetails }) => {
  const [openedAt, setOpenedAt] = useState<Place>()
  const isOpen = openedAt === place.value
  return (
    <>
      <button
        type="button"
        class="icon-button menu-button"
        aria-label="Menu"
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onClick={() => setOpenedAt(place.value)}
      >
        <Icon name="menu" />
      </button>
      {isOpen && (
        <Dialog title="Menu" class="menu" onClose={() => setOpenedAt(undefined)}>
          <Navigation {...details} />
        </Dialog>
      )}
    </>
  )
}

/** Asks to confirm that unsaved changes are discarded. */
const LeaveDialog = () => {
  const leave = pendingLeave.value
  if (leave === undefined) return null
  const close = () => {
    pendingLeave.value = undefined
  }
  return (
    <Dialog title="Leave without saving?" onClose={close}>
      <div class="form">
        <p>The changes in this view are not saved.</p>
        <div class="form-actions">
          <button type="button" class="button" onClick={close}>
            Stay
          </button>
          <button
            type="button"
            class="button danger"
            onClick={() => {
              close()
              discardUnsaved()
              leave()
            }}
          >
            Leave
          </button>
        </div>
      </div>
    </Dialog>
  )
}

/** The frame of all views, with the navigation at the side, or on narrow pages behind a button. */
export const Shell = ({ details }: { readonly details: SessionDetails }) => (
  <div class="shell">
    <a class="skip" href="#main">
      Skip to the content
    </a>
    <header class="sidebar">
      <Brand />
      <Menu details={details} />
      <div class="sidebar-content">
        <Navigation {...details} />
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
    <LeaveDialog />
  </div>
)
