import { useState } from "preact/hooks"
import { client } from "../../app/Client.js"
import { useEvents } from "../../app/LiveEvents.js"
import { linkTo, paths } from "../../app/Paths.js"
import { can } from "../../app/SessionState.js"
import type { ViewProps } from "../../app/View.js"
import { Facts } from "../../components/Facts.js"
import { Identifier } from "../../components/Identifier.js"
import { Pending } from "../../components/Pending.js"
import { Status } from "../../components/Status.js"
import { Time } from "../../components/Time.js"
import { useLatest } from "../../components/UseLatest.js"
import { useLoad } from "../../components/UseLoad.js"
import { ViewHeader } from "../../components/ViewHeader.js"
import { CatchAll } from "./CatchAll.js"
import { DnsProvider } from "./DnsProvider.js"
import { DomainActions } from "./DomainActions.js"
import { DomainRecords } from "./DomainRecords.js"

const back = { href: linkTo(paths.domains, {}), label: "Domains" }

/** One domain: its records as they are expected and as name servers return them. */
const DomainView = ({ params: { id } }: ViewProps<typeof paths.domain>) => {
  const { error, reload, replace, value } = useLoad((signal) => client.domains.get({ path: { id } }, { signal }), [id])
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
  const refresh = useLatest(async () => replace(await client.domains.get({ path: { id } })))
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
  if (value === undefined) {
    return (
      <>
        <ViewHeader title="Domain" back={back} />
        <Pending error={error} reload={reload} />
      </>
    )
  }
  return (
    <>
      <ViewHeader title={value.domain} back={back}>
        <DomainActions domain={value} changed={reloadAll} />
      </ViewHeader>
      <div class="detail">
        <DomainRecords
          domain={value}
          report={report.value}
          zone={detected.value?.zone}
          error={report.error}
          reload={report.reload}
        />
        <aside>
          <section class="card" aria-label="Facts">
            <Facts
              facts={[
                ["Status", <Status key="status" value={value.status} />],
                ["Verified", value.verifiedAt === undefined ? null : <Time value={value.verifiedAt} isComplete />],
                ["Added", <Time key="added" value={value.createdAt} isComplete />],
                ["Changed", <Time key="changed" value={value.updatedAt} isComplete />],
                ["Id", <Identifier key="id" label="id" value={value.id} />]
              ]}
            />
          </section>
          {detected.value !== undefined && <DnsProvider detected={detected.value} />}
          {value.status === "verified" && can("email.read") && <CatchAll domain={value.domain} round={round} />}
        </aside>
      </div>
    </>
  )
}

export default DomainView
