import { client } from "../app/Client.js"
import type { EmailDomain } from "../app/Types.js"
import { ActionButton } from "../components/Actions.js"
import { Facts } from "../components/Facts.js"
import { numberText, percent } from "../components/Format.js"
import { Card } from "../components/Resource.js"

type Pause = NonNullable<EmailDomain["pause"]>

const reasons: Readonly<Record<Pause["reason"], string>> = {
  bounces: "Too many messages bounced",
  complaints: "Too many messages had a complaint",
  manual: "Paused by a request"
}

const shareText = (share: number | undefined) => (share === undefined ? undefined : percent(share))

interface DomainPauseProps {
  readonly id: EmailDomain["id"]
  readonly pause: Pause
  readonly changed: () => void
}

/** Why mail from a domain waits, and the button that ends the pause. */
export const DomainPause = ({ changed, id, pause }: DomainPauseProps) => (
  <Card title="Paused">
    <p class="hint">
      New mail from this domain is accepted, and waits. Remove the addresses that bounce or complain before you resume.
    </p>
    <Facts
      facts={[
        ["Reason", reasons[pause.reason]],
        ["Rate", shareText(pause.rate)],
        ["Bound", shareText(pause.bound)],
        ["Messages of 24 hours", pause.messages === undefined ? undefined : numberText(pause.messages)],
        ["Since", pause.pausedAt]
      ]}
    />
    <ActionButton
      label="Resume"
      icon="check"
      kind="primary"
      permission="domains.write"
      action={async () => {
        await client.domains.resume({ path: { id } })
        changed()
      }}
      done="Mail from the domain is sent"
    />
  </Card>
)
