import { Brand } from "../components/Brand.js"
import { Icon } from "../components/Icon.js"
import { CurrentView } from "./CurrentView.js"
import { isOffline } from "./LiveEvents.js"
import { place } from "./Location.js"
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

const Navigation = () => (
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
)

/** The frame of all views: navigation, organization, log-out. */
export const Shell = ({ details: { organization, roleName } }: { readonly details: SessionDetails }) => (
  <div class="shell">
    <a class="skip" href="#main">
      Skip to the content
    </a>
    <header class="side">
      <Brand />
      <Navigation />
      <div class="account">
        <span class="organization" title={organization.name}>
          {organization.name}
          {roleName !== undefined && <small>{roleName}</small>}
        </span>
        <button
          type="button"
          class="icon-button"
          aria-label="Log out"
          title="Log out"
          onClick={() => void logOut().catch(showFailed)}
        >
          <Icon name="logout" />
        </button>
      </div>
    </header>
    <main id="main" tabIndex={-1}>
      {isOffline.value && (
        <p class="offline" role="status">
          The connection is lost. The console continues when it is back.
        </p>
      )}
      <CurrentView />
    </main>
  </div>
)
