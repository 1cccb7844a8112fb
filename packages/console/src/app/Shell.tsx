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
import { views } from "./Views.js"

const Navigation = () => (
  <nav aria-label="Views">
    {views.map((view) => {
      const { navigation, path, permission } = view
      if (navigation === undefined || (permission !== undefined && !can(permission))) return null
      const isCurrent = place.value.path === path || place.value.path.startsWith(`${path}/`)
      return (
        <a key={path} href={linkTo(path, {})} aria-current={isCurrent ? "page" : undefined}>
          <Icon name={navigation.icon} />
          {navigation.label}
        </a>
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
