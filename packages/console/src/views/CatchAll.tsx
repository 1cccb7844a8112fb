import { client } from "../app/Client.js"
import { ActionButton, FormDialog } from "../components/Actions.js"
import { Facts, Status } from "../components/Facts.js"
import { TextField, textsOf } from "../components/Fields.js"
import { numberText } from "../components/Format.js"
import { Pending } from "../components/Notices.js"
import { Card } from "../components/Resource.js"
import { useLoad } from "../components/View.js"

const load = async (domain: string, signal: AbortSignal) => {
  const [config, stats] = await Promise.all([
    client.catchAll.config({ urlParams: { domain } }, { signal }),
    client.catchAll.stats({ urlParams: { domain } }, { signal })
  ])
  return { config, stats }
}

interface CatchAllProps {
  readonly domain: string
  /** Another value loads the catch-all again. */
  readonly round: number
}

/** The catch-all of a domain: whether it is on, where its mail is forwarded, what it received. */
export const CatchAll = ({ domain, round }: CatchAllProps) => {
  const loaded = useLoad((signal) => load(domain, signal), [domain, round])
  if (loaded.value === undefined) return <Pending {...loaded} />
  const { config, stats } = loaded.value
  const change = async (changed: Promise<typeof config>) => loaded.replace({ stats, config: await changed })
  const edit = (form: FormData) => {
    const payload = { domain, forwardTo: textsOf(form, "forwardTo"), exclude: textsOf(form, "exclude") }
    return change(client.catchAll.update({ payload }))
  }
  return (
    <Card title="Catch-all">
      <Facts
        facts={[
          ["Status", <Status key="status" value={config.enabled ? "active" : "off"} />],
          ["Forwards to", config.forwardTo.join(", ")],
          ["Excludes", config.exclude.join(", ")],
          ["Received", `${numberText(stats.received)}, of these ${numberText(stats.last30Days)} in 30 days`],
          ["Forwarded", numberText(stats.forwarded)],
          ["Rejected", numberText(stats.rejected)]
        ]}
      />
      <div class="card-actions">
        <FormDialog
          label="Edit catch-all"
          permission="email.write"
          submitLabel="Save"
          submit={edit}
          done="The catch-all is saved"
        >
          <TextField
            label="Forward to"
            name="forwardTo"
            lines={3}
            placeholder="ada@example.com"
            value={config.forwardTo.join("\n")}
            hint="One address on each line. Mail that a forwarding rule matches is not forwarded here."
          />
          <TextField
            label="Exclude"
            name="exclude"
            lines={3}
            placeholder="old-address"
            value={config.exclude.join("\n")}
            hint="One address on each line, complete or the part before the @. Mail to it is rejected."
          />
        </FormDialog>
        {config.enabled ? (
          <ActionButton
            label="Switch off"
            permission="email.write"
            confirm={`Mail to addresses of ${domain} that are not listed is rejected from now on. The settings stay.`}
            action={() => change(client.catchAll.disable({ payload: { domain } }))}
            done="The catch-all is off"
          />
        ) : (
          <ActionButton
            label="Switch on"
            permission="email.write"
            action={() => change(client.catchAll.enable({ payload: { domain } }))}
            done="Mail to all addresses of the domain is received"
          />
        )}
      </div>
    </Card>
  )
}
