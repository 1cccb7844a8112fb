import { useState } from "preact/hooks"
import { OpenForm } from "../components/Actions.js"
import { AccountField, NewPasswordField, passwordOf } from "../components/Fields.js"
import { IconButton } from "../components/Icon.js"
import { showFailed } from "../components/Notices.js"
import { client } from "./Client.js"
import { leaveBy } from "./Location.js"
import { SecondFactor } from "./SecondFactor.js"
import { logOut } from "./Session.js"
import type { SessionDetails } from "./Types.js"

const changePassword = (form: FormData) =>
  client.sessions.changePassword({
    payload: { currentPassword: passwordOf(form, "currentPassword"), newPassword: passwordOf(form, "newPassword") }
  })

/** The button and the form to change the password of the session's user. */
const ChangePassword = ({ email }: { readonly email: string }) => {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <IconButton icon="key" label="Change the password" press={() => setOpen(true)} />
      {isOpen && (
        <OpenForm
          title="Change the password"
          submitLabel="Change"
          submit={changePassword}
          done="The password is changed"
          onClose={() => setOpen(false)}
        >
          <p>Your sessions in other browsers end.</p>
          {/* Password managers find the account by it. */}
          <input type="text" name="email" autocomplete="username" value={email} readOnly hidden />
          <AccountField label="Current password" name="currentPassword" autocomplete="current-password" />
          <NewPasswordField label="New password" name="newPassword" />
        </OpenForm>
      )}
    </>
  )
}

/** The organization, the person of the session, and the log-out. The session of an API key is that of no person. */
export const Account = ({ organization, roleName, user }: SessionDetails) => (
  <div class="account">
    <span class="organization" title={user === undefined ? organization.name : `${organization.name}, ${user.email}`}>
      {organization.name}
      {user !== undefined && <small>{user.name}</small>}
      {roleName !== undefined && <small>{roleName}</small>}
    </span>
    {user !== undefined && <SecondFactor hasTotp={user.hasTotp} />}
    {user !== undefined && <ChangePassword email={user.email} />}
    <IconButton icon="logout" label="Log out" press={() => leaveBy(() => void logOut().catch(showFailed))} />
  </div>
)
