import { client } from "../../app/Client.js"
import { showDone } from "../../app/Toasts.js"
import { ActionButton } from "../../components/ActionButton.js"
import { Facts } from "../../components/Facts.js"
import { TextField } from "../../components/Field.js"
import { FormDialog } from "../../components/FormDialog.js"
import { textsOf } from "../../components/FormValues.js"
import { Pending } from "../../components/Pending.js"
import { Status } from "../../components/Status.js"
import { useLoad } from "../../components/UseLoad.js"

const load = async (domain: string, signal: AbortSignal) => {
  const [config, stats] = await Promise.all([
    client.catchAll.config({ urlParams: { domain } }, { signal }),
    client.catchAll.stats({ urlParams: { domain } }, { signal })
  ])
  return { config, stats }
}

const count = (value: number) => value.toLocaleString("en")

interface CatchAllProps {
  readonly domain: string
  /** Another value loads the catch-all again. */
  readonly round: number
}

/** The catch-all of a domain: whether it is on, where its mail is forwarded, what it received. */
export const CatchAll = ({ domain, round }: CatchAllProps) => {
  const { error, reload, replace, value } = useLoad((signal) => load(domain, signal), [domain, round])
  if (value === undefined) return <Pending error={error} reload={reload} />
  const { config, stats } = value
  const edit = async (form: FormData) => {
    const payload = { domain, forwardTo: textsOf(form, "forwardTo"), exclude: textsOf(form, "exclude") }
    replace({ stats, config: await client.catchAll.update({ payload }) })
    showDone("The catch-all is saved")
  }
  const switchOn = async () => {
    replace({ stats, config: await client.catchAll.enable({ payload: { domain } }) })
    showDone("Mail to all addresses of the domain is received")
  }
  const switchOff = async () => {
    replace({ stats, config: await client.catchAll.disable({ payload: { domain } }) })
    showDone("The catch-all is off")
  }
  return (
    <section class="card" aria-labelledby="catch-all">
      <h2 id="catch-all">Catch-all</h2>
      <Facts
        facts={[
          ["Status", <Status key="status" value={config.enabled ? "active" : "off"} />],
          ["Forwards to", config.forwardTo.join(", ")],
          ["Excludes", config.exclude.join(", ")],
          ["Received", `${count(stats.received)}, of these ${count(stats.last30Days)} in 30 days`],
          ["Forwarded", count(stats.forwarded)],
          ["Rejected", count(stats.rejected)]
        ]}
      />
      <div class="card-actions">
        <FormDialog label="Edit catch-all" permission="email.write" submitLabel="Save" submit={edit}>
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
            action={switchOff}
          />
        ) : (
          <ActionButton label="Switch on" permission="email.write" action={switchOn} />
        )}
      </div>
    </section>
  )
}
