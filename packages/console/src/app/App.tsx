import { ErrorNotice } from "../components/ErrorNotice.js"
import { LogIn } from "./LogIn.js"
import { startSession } from "./Session.js"
import { sessionState } from "./SessionState.js"
import { Shell } from "./Shell.js"
import { Toasts } from "./Toasts.js"

const Content = () => {
  const state = sessionState.value
  switch (state._tag) {
    case "Starting":
      return <p class="starting" role="status" aria-label="Loading" />
    case "LoggedOut":
      return <LogIn reason={state.reason} />
    case "LoggedIn":
      return <Shell details={state.details} />
    case "Unavailable":
      return (
        <main class="alone">
          <ErrorNotice error={state.error} retry={() => void startSession()} />
        </main>
      )
  }
}

/** The console: the log-in page, or the views of the session. */
export const App = () => (
  <>
    <Content />
    <Toasts />
  </>
)
