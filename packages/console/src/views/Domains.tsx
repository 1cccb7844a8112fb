import { useState } from "preact/hooks"
import { client } from "../app/Client.js"
import { useEvents, useLatest } from "../app/LiveEvents.js"
import { navigate } from "../app/Location.js"
import { linkTo, type PathParams, paths } from "../app/Paths.js"
import { can } from "../app/SessionState.js"
import type { DetectedRegistrar, EmailDomain } from "../app/Types.js"
import { ActionButton, FormDialog } from "../components/Actions.js"
import { Facts, Status, Time } from "../components/Facts.js"
import { feedStep } from "../components/Feed.js"
import { CheckField, isChecked, requiredText, TextField, textOf, textsOf } from "../components/Fields.js"
import { filterChoice, filterText, listView } from "../components/ListView.js"
import { showDone, showFailed } from "../components/Notices.js"
import { Card, DeleteButton, FactsCard, PendingView } from "../components/Resource.js"
import { useLoad, ViewHeader } from "../components/View.js"
import { CatchAll } from "./CatchAll.js"
import { DomainPause } from "./DomainPause.js"
import { correctText, DomainRecords } from "./DomainRecords.js"
import { DomainReports } from "./DomainReports.js"

const back = { href: linkTo(paths.domains, {}), label: "Domains" }

const statuses = ["pending", "verified", "degraded", "failed"] as const

const add = async (form: FormData) => {
  const { id } = await client.domains.create({ payload: { domain: requiredText(form, "domain") } })
  navigate(linkTo(paths.domain, { id }))
}

/** The domains of the organization, newest first. */
export const DomainsView = listView({
  title: "Domains",
  noun: "domain",
  search: "Find by name",
  choices: { status: statuses },
  filters: () => ({ search: filterText("search"), status: filterChoice("status", statuses) }),
  open: (filters, signal) => client.domains.list.all({ urlParams: { filters, limit: feedStep } }, { signal }),
  events: ["email_domain."],
  layout: "domains",
  columns: { Domain: 1, Status: "104px", Added: "96px" },
  hrefOf: ({ id }) => linkTo(paths.domain, { id }),
  row: ({ createdAt, domain, pause, status }) => (
    <>
      <strong>{domain}</strong>
      <Status value={pause === undefined ? status : "paused"} />
      <Time value={createdAt} />
    </>
  ),
  empty: "Add the domain that you send from:",
  example: ["/email/domains", { domain: "example.com" }],
  actions: () => (
    <FormDialog label="Add a domain" kind="primary" permission="domains.write" submitLabel="Add" submit={add}>
      <TextField
        label="Domain"
        name="domain"
        placeholder="example.com"
        required
        hint="The next page has the DNS records to publish."
      />
    </FormDialog>
  )
})

interface DomainActionsProps {
  readonly domain: EmailDomain
  readonly changed: () => void
}

/** The actions of a domain. */
const DomainActions = ({ changed, domain: { domain, id, status, ...stored } }: DomainActionsProps) => {
  const hasRecords = stored.dnsRecords.length > 0
  const verify = async () => {
    const { records, success } = await client.domains.verify({ payload: { domain } })
    if (success) showDone("The domain is verified")
    else showFailed(`The domain is not verified: ${correctText(records)} as expected`)
    changed()
  }
  const rotate = async () => {
    await client.domains.rotateDkim({ path: { id } })
    changed()
  }
  const pause = async () => {
    await client.domains.pause({ path: { id } })
    changed()
  }
  const receive = async (form: FormData) => {
    const addresses = textsOf(form, "addresses")
    const { recipients } = await client.receiving.enable({
      payload: { domain, addresses, catchAll: isChecked(form, "catchAll") }
    })
    showDone(recipients.length === 0 ? "Mail is received" : `Mail is received for ${recipients.join(", ")}`)
    changed()
  }
  const track = async (form: FormData) => {
    await client.domains.update({
      path: { id },
      payload: {
        trackOpens: isChecked(form, "trackOpens"),
        trackClicks: isChecked(form, "trackClicks"),
        ...(hasRecords ? { trackingDomain: textOf(form, "trackingDomain") ?? null } : {})
      }
    })
    changed()
  }
  return (
    <>
      <ActionButton label="Verify" icon="check" kind="primary" permission="domains.write" action={verify} />
      {status === "verified" && (
        <FormDialog label="Receive mail" permission="domains.write" submitLabel="Receive" submit={receive}>
          <TextField
            label="Addresses"
            name="addresses"
            lines={4}
            placeholder="support"
            hint="One on each line, complete or the part before the @. They replace the earlier ones."
          />
          <CheckField label="Receive mail to all other addresses too (catch-all)" name="catchAll" />
        </FormDialog>
      )}
      <FormDialog label="Tracking" permission="domains.write" submitLabel="Save" submit={track}>
        <CheckField label="Track opens of mail from this domain" name="trackOpens" isChecked={stored.trackOpens} />
        <CheckField label="Track clicks in mail from this domain" name="trackClicks" isChecked={stored.trackClicks} />
        {hasRecords && (
          <TextField
            label="Host of links"
            name="trackingDomain"
            value={stored.trackingDomain}
            placeholder={`links.${domain}`}
            hint="Used once its CNAME record is found. Default: the host of this service."
          />
        )}
      </FormDialog>
      {stored.pause === undefined && (
        <ActionButton
          label="Pause"
          permission="domains.write"
          confirm="Mail from this domain waits until you resume it. New mail is still accepted."
          action={pause}
          done="Mail from the domain waits"
        />
      )}
      <ActionButton
        label="Rotate DKIM"
        permission="domains.write"
        confirm="The other key signs from now on, and a new key replaces the earlier one. Publish the new record before the next rotation."
        action={rotate}
        done="The other DKIM key signs from now on"
      />
      <DeleteButton
        permission="domains.write"
        confirm={`Delete ${domain} with its keys and its receiving addresses? Mail from it is rejected afterwards.`}
        action={() => client.domains.remove({ path: { id } })}
        done="The domain is deleted"
        to={back.href}
      />
    </>
  )
}

const Hint = ({ guideUrl, provider, zone }: DetectedRegistrar) => {
  if (zone === undefined) return <>No name servers were found. Check that the domain is registered.</>
  if (provider === undefined) return <>Publish the records where the zone {zone} is managed.</>
  return (
    <>
      Publish the records at {provider}, in the zone {zone}.{" "}
      {guideUrl !== undefined && (
        <a href={guideUrl} target="_blank" rel="noreferrer">
          How to add records
        </a>
      )}
    </>
  )
}

/** Where the records of a domain are published. */
const DnsProvider = ({ detected }: { readonly detected: DetectedRegistrar }) => (
  <Card title="DNS provider">
    <Facts
      facts={[
        ["Provider", detected.provider ?? (detected.zone === undefined ? undefined : "not recognized")],
        ["Zone", detected.zone],
        ["Name servers", detected.nameservers.join(", ")]
      ]}
    />
    <p class="hint">
      <Hint {...detected} />
    </p>
  </Card>
)

/** The tracking of mail from a domain, unless a send sets it. */
const trackedText = ({ trackClicks, trackOpens }: EmailDomain): string | undefined => {
  if (!trackClicks && !trackOpens) return undefined
  return [...(trackOpens ? ["opens"] : []), ...(trackClicks ? ["clicks"] : [])].join(", ")
}

/** One domain: its records as they are expected and as name servers return them. */
export const DomainView = ({ id }: PathParams<typeof paths.domain>) => {
  const resource = useLoad((signal) => client.domains.get({ path: { id } }, { signal }), [id])
  const { value } = resource
  const report = useLoad((signal) => client.domains.status({ path: { id } }, { signal }), [id])
  const domain = value?.domain
  const hasRecords = value !== undefined && value.dnsRecords.length > 0
  const detected = useLoad(
    async (signal) =>
      domain === undefined || !hasRecords
        ? undefined
        : client.domains.detectRegistrar({ urlParams: { domain } }, { signal }),
    [domain, hasRecords]
  )
  const refresh = useLatest(async () => resource.replace(await client.domains.get({ path: { id } })))
  const [round, setRound] = useState(0)
  const reloadAll = () => {
    setRound((count) => count + 1)
    refresh()
    report.reload()
  }
  useEvents(["email_domain."], (event) => {
    const isDeleted = event.type === "email_domain.deleted"
    if (event.type !== "unknown" && "id" in event.data && event.data.id === id && !isDeleted) reloadAll()
  })
  if (value === undefined) return <PendingView title="Domain" back={back} resource={resource} />
  return (
    <>
      <ViewHeader title={value.domain} back={back}>
        <DomainActions domain={value} changed={reloadAll} />
      </ViewHeader>
      <div class="detail">
        <div>
          {value.pause !== undefined && <DomainPause id={id} pause={value.pause} changed={reloadAll} />}
          <DomainRecords
            domain={value}
            report={report.value}
            zone={detected.value?.zone}
            error={report.error}
            reload={report.reload}
          />
          {hasRecords && <DomainReports {...value} />}
        </div>
        <aside>
          <FactsCard
            facts={[
              ["Status", <Status key="status" value={value.status} />],
              ["Verified", value.verifiedAt],
              ["Tracked", trackedText(value)],
              ["Host of links", value.trackingDomain],
              ["Added", value.createdAt],
              ["Changed", value.updatedAt]
            ]}
            id={value.id}
          />
          {detected.value !== undefined && <DnsProvider detected={detected.value} />}
          {value.status === "verified" && can("email.read") && <CatchAll domain={value.domain} round={round} />}
        </aside>
      </div>
    </>
  )
}
