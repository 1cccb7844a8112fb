import { RoleName, rolePermissions } from "@switchboard/domain/apiKeys/Permission"
import { client } from "../app/Client.js"
import { navigate } from "../app/Location.js"
import { linkTo, paths } from "../app/Paths.js"
import { startSession } from "../app/Session.js"
import { canGrant, userId } from "../app/SessionState.js"
import type { User, UserInvitation } from "../app/Types.js"
import { ActionButton, Button, FormDialog, LinkButton } from "../components/Actions.js"
import { Identifier, Time } from "../components/Facts.js"
import { feedStep } from "../components/Feed.js"
import { requiredText, SelectField, TextField, textOf } from "../components/Fields.js"
import { filterChoice, filterText, listView } from "../components/ListView.js"
import { ResultFormDialog } from "../components/Resource.js"
import { roleHints } from "./KeyFields.js"

const roles = RoleName.literals

/** A role that the session can grant. */
const RoleField = ({ value = "viewer" }: { readonly value?: RoleName }) => (
  <SelectField
    label="Role"
    name="roleName"
    value={value}
    options={roles
      .filter((role) => role === value || canGrant(rolePermissions[role]))
      .map((role) => [role, `${role}: ${roleHints[role]}`])}
  />
)

const roleOf = (form: FormData): RoleName => roles.find((role) => role === form.get("roleName")) ?? "viewer"

/** The link of a new invitation. It is in the memory of the page until the dialog is closed. */
const invitationResult = ({ email, isMailed, url = "" }: UserInvitation, closed: () => void) => ({
  title: "The invitation",
  closed,
  content: (close: () => void) => (
    <div class="form">
      <p>
        {isMailed === true
          ? `The link was sent to ${email}. You can also pass it on yourself.`
          : `The link was not mailed. Pass it on to ${email} yourself.`}{" "}
        It is valid once, within 7 days, and is not shown again.
      </p>
      <Identifier label="link" value={url} />
      <div class="form-actions">
        <Button label="Done" kind="primary" press={close} />
      </div>
    </div>
  )
})

/** The form of a new invitation. */
const Invite = ({ closed }: { readonly closed: (invitation: UserInvitation) => void }) => {
  const invite = async (form: FormData) => {
    const payload = { email: requiredText(form, "email"), roleName: roleOf(form), name: textOf(form, "name") }
    const invitation = await client.users.invite({ payload })
    return invitationResult(invitation, () => closed(invitation))
  }
  return (
    <ResultFormDialog label="Invite" kind="primary" permission="users.write" submitLabel="Invite" submit={invite}>
      <TextField label="E-mail address" name="email" inputMode="email" required placeholder="ada@example.com" />
      <RoleField />
      <TextField label="Name" name="name" hint="The person can choose another one." />
    </ResultFormDialog>
  )
}

interface PersonRowProps {
  readonly user: User
  readonly changed: (user: User) => void
  readonly removed: () => void
}

const PersonRow = ({ changed, removed, user }: PersonRowProps) => {
  const { email, hasTotp, id, lastLoginAt, name, roleName } = user
  const isOwn = id === userId()
  const edit = async (form: FormData) => {
    const payload = { name: requiredText(form, "name"), roleName: roleOf(form) }
    changed(await client.users.update({ path: { id }, payload }))
    if (isOwn) await startSession()
  }
  const removeFactor = async () => {
    await client.users.removeTotp({ path: { id } })
    changed({ ...user, hasTotp: false })
  }
  const remove = async () => {
    await client.users.remove({ path: { id } })
    if (isOwn) await startSession()
    else removed()
  }
  return (
    <>
      <span class="name">
        <strong>{name}</strong> {email}
        {isOwn && <span class="tag">you</span>}
      </span>
      <span>{roleName}</span>
      {lastLoginAt === undefined ? <span class="last">never</span> : <Time value={lastLoginAt} />}
      <span class="row-actions">
        <FormDialog label="Edit" permission="users.write" submitLabel="Save" submit={edit} done="The person is saved">
          <TextField label="Name" name="name" required value={name} />
          <RoleField value={roleName} />
        </FormDialog>
        {/* A person removes the own one with a code. */}
        {hasTotp && !isOwn && (
          <ActionButton
            label="Remove factor"
            kind="danger"
            permission="users.write"
            confirm={`Remove the second factor of ${name}? The next log-in of ${email} needs only the password.`}
            action={removeFactor}
            done={`The second factor of ${name} is removed`}
          />
        )}
        <ActionButton
          label="Remove"
          kind="danger"
          permission="users.write"
          confirm={`Remove ${name}? The sessions of ${email} end, and so do the invitations that this person made.`}
          action={remove}
          done={`${name} is removed`}
        />
      </span>
    </>
  )
}

/** The people of the organization, newest first. */
export const PeopleView = listView({
  title: "People",
  noun: "user",
  search: "Find by name or address",
  choices: { role: roles },
  filters: () => ({ search: filterText("search"), roleName: filterChoice("role", roles) }),
  open: (filters, signal) => client.users.list.all({ urlParams: { filters, limit: feedStep } }, { signal }),
  layout: "people",
  columns: { Person: 1, Role: "80px", "Last log-in": "96px", "": "290px" },
  row: (user, { feed }) => (
    <PersonRow user={user} changed={(next) => feed.update([next])} removed={() => feed.remove(user.id)} />
  ),
  emptyTitle: "No people yet",
  empty: "People log in with an address and a password, and have a role. Invite the first one:",
  example: ["/users/invitations", { email: "ada@example.com", roleName: "viewer" }],
  actions: () => (
    <>
      <LinkButton label="Invitations" href={linkTo(paths.invitations, {})} />
      <Invite closed={() => navigate(linkTo(paths.invitations, {}))} />
    </>
  )
})

interface InvitationRowProps {
  readonly invitation: UserInvitation
  readonly removed: () => void
}

const InvitationRow = ({ invitation, removed }: InvitationRowProps) => {
  const { email, expiresAt, id, invitedBy, name, roleName } = invitation
  return (
    <>
      <span class="name" title={invitedBy === undefined ? email : `${email}, invited by ${invitedBy.name}`}>
        <strong>{email}</strong> {name}
      </span>
      <span>{roleName}</span>
      <Time value={expiresAt} isUpcoming />
      <span class="row-actions">
        <ActionButton
          label="Withdraw"
          permission="users.write"
          confirm={`Withdraw the invitation of ${email}? Its link is rejected from then on.`}
          action={async () => {
            await client.users.removeInvitation({ path: { id } })
            removed()
          }}
          done="The invitation is withdrawn"
        />
      </span>
    </>
  )
}

/** The invitations that were not accepted, newest first. */
export const InvitationsView = listView({
  title: "Invitations",
  noun: "invitation",
  back: { href: linkTo(paths.people, {}), label: "People" },
  filters: () => ({}),
  open: (_, signal) => client.users.listInvitations.all({ urlParams: { limit: feedStep } }, { signal }),
  layout: "senders",
  columns: { Address: 1, Role: "80px", Expires: "96px", "": "110px" },
  row: (invitation, { feed }) => <InvitationRow invitation={invitation} removed={() => feed.remove(invitation.id)} />,
  emptyTitle: "No open invitations",
  empty: "An invitation is here until it is accepted, withdrawn, or older than 7 days.",
  actions: ({ feed, refresh }) => (
    <Invite
      closed={({ email }) => {
        // The new invitation replaces an earlier one to the address.
        for (const earlier of feed.items.peek()) if (earlier.email === email) feed.remove(earlier.id)
        refresh()
      }}
    />
  )
})
