import { render } from "preact"
import { AcceptInvitation, LogIn, ResetPassword } from "./app/LogIn.js"
import { followLinks, startSession } from "./app/Session.js"
import { sessionState } from "./app/SessionState.js"
import { Shell } from "./app/Shell.js"
import { ErrorNotice, Toasts } from "./components/Notices.js"

const Content = () => {
  const state = sessionState.value
  switch (state._tag) {
    case "Starting":
      return <p class="starting" role="status" aria-label="Loading" />
    case "LoggedOut":
      return <LogIn reason={state.reason} />
    case "LoggedIn":
      return <Shell details={state.details} />
    case "LinkOpened":
      return state.link.page === "invitation" ? (
        <AcceptInvitation token={state.link.token} />
      ) : (
        <ResetPassword token={state.link.token} />
      )
    case "Unavailable":
      return (
        <main class="alone">
          <ErrorNotice error={state.error} retry={() => void startSession()} />
        </main>
      )
  }
}

/** The console: the log-in page, or the views of the session. */
const App = () => (
  <>
    <Content />
    <Toasts />
  </>
)

const root = document.getElementById("app")
if (root !== null) {
  void startSession()
  followLinks()
  render(<App />, root)
}
