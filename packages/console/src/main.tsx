import { render } from "preact"
import { App } from "./app/App.js"
import { startSession } from "./app/Session.js"

const root = document.getElementById("app")
if (root !== null) {
  void startSession()
  render(<App />, root)
}
