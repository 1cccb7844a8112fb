import { linkTo, paths } from "../../app/Paths.js"
import { can } from "../../app/SessionState.js"
import { Icon } from "../../components/Icon.js"

/** A link to the form, for sessions that may send. */
export const SendLink = () =>
  can("messages.send") ? (
    <a class="button primary" href={linkTo(paths.send, {})}>
      <Icon name="send" />
      Send a message
    </a>
  ) : null
