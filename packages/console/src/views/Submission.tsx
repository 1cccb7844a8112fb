import { linkTo, paths } from "../app/Paths.js"
import { can, submissionAddress } from "../app/SessionState.js"
import { LinkButton } from "../components/Actions.js"
import { Facts, Identifier } from "../components/Facts.js"
import { Command, EmptyState } from "../components/Notices.js"
import { Card } from "../components/Resource.js"
import { Tabs } from "../components/Tabs.js"
import { ViewHeader } from "../components/View.js"
import { connectionOf, programs, type SubmissionAddress } from "./ProgramLines.js"

/** Whether only programs on the machine of the service reach a host. */
const isLoopback = (host: string): boolean => /^(127\.|::1$|localhost$)/.test(host)

/** What a program needs to connect, and which programs can. */
const Connection = ({ address: { host, port, startTls, tlsPort } }: { readonly address: SubmissionAddress }) => (
  <Card title="Connection">
    <Facts
      facts={[
        ["Host", <Identifier key="host" label="host" value={host} />],
        ["Port", port === undefined ? undefined : `${port}, ${startTls ? "with STARTTLS" : "without TLS"}`],
        ["TLS port", tlsPort === undefined ? undefined : `${tlsPort}, with implicit TLS`],
        ["User name", "any"],
        ["Password", "an API key with messages.send"],
        ["AUTH", "PLAIN or LOGIN"]
      ]}
    />
    {startTls ? (
      <p class="hint">The certificate of the service must be valid for {host}.</p>
    ) : (
      <p class="hint">
        Without TLS, only programs on the machine of the service can log in. For others, the operator sets{" "}
        <code>SUBMISSION_HOST</code>, <code>SUBMISSION_TLS_CERT</code> and <code>SUBMISSION_TLS_KEY</code>.
      </p>
    )}
    {startTls && isLoopback(host) && (
      <p class="hint">
        Only programs on the machine of the service reach this host. For others, the operator sets{" "}
        <code>SUBMISSION_HOST</code>, or <code>PUBLIC_URL</code> if that is 0.0.0.0.
      </p>
    )}
  </Card>
)

/** How programs that send mail over SMTP use the service: the connection and lines to paste. */
export const SubmissionView = () => {
  const address = submissionAddress()
  const connection = address === undefined ? undefined : connectionOf(address)
  return (
    <>
      <ViewHeader title="Send from any program">
        {can("apiKeys.read") && <LinkButton label="API keys" href={linkTo(paths.keys, {})} />}
      </ViewHeader>
      {address === undefined || connection === undefined ? (
        <EmptyState
          title="Mail over SMTP is off"
          text="To take mail of programs, the operator sets SUBMISSION_PORT, for example to 2587, or SUBMISSIONS_PORT with a certificate, and starts the service again."
        />
      ) : (
        <>
          <p class="lead">
            Any program that sends mail over SMTP can use the service: a framework's mailer, a CMS, a scanner. Its mail
            becomes messages like those of the API. The sender must be verified. In the lines,{" "}
            <code>SWITCHBOARD_API_KEY</code> is a variable with the API key.
          </p>
          <div class="detail facts-first">
            <div>
              <Card title="Settings of programs">
                <Tabs
                  label="Programs"
                  tabs={programs.map(({ label, lines, name }) => ({
                    name,
                    label,
                    content: () => <Command text={lines(connection)} label={`Copy the lines for ${label}`} />
                  }))}
                />
              </Card>
            </div>
            <aside>
              <Connection address={address} />
            </aside>
          </div>
        </>
      )}
    </>
  )
}
