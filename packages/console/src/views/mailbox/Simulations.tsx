import { client } from "../../app/Client.js"
import { can } from "../../app/SessionState.js"
import { showDone } from "../../app/Toasts.js"
import { ActionButton } from "../../components/ActionButton.js"

const permission = "messages.send"

const events = [
  { kind: "read", label: "Read", done: "The mail is read" },
  { kind: "bounce", label: "Bounce", done: "The mail comes back" },
  { kind: "complaint", label: "Complain", done: "The mail is reported as spam" }
] as const

/** Simulates an event of a delivered mail. It reaches the service in the same ways as from other mail servers. */
export const Simulations = ({ id }: { readonly id: string }) =>
  can(permission) ? (
    <section class="card" aria-labelledby="simulate">
      <h2 id="simulate">Simulate</h2>
      <div class="buttons">
        {events.map(({ done, kind, label }) => (
          <ActionButton
            key={kind}
            label={label}
            permission={permission}
            action={async () => {
              await client.mailbox.simulate({ path: { id }, payload: { kind } })
              showDone(done)
            }}
          />
        ))}
      </div>
    </section>
  ) : null
