import { client } from "../../app/Client.js"
import { can } from "../../app/SessionState.js"
import { Facts } from "../../components/Facts.js"
import { Status } from "../../components/Status.js"
import { useLoad } from "../../components/UseLoad.js"

/** The results of SPF, DKIM and DMARC for a received mail. */
export const Authentication = ({ id }: { readonly id: string }) => {
  const { value } = useLoad(
    async (signal) =>
      can("email.read") ? (await client.emailRecords.get({ path: { id } }, { signal })).authentication : undefined,
    [id]
  )
  if (value === undefined) return null
  return (
    <section class="card" aria-labelledby="authentication">
      <h2 id="authentication">Authentication</h2>
      <Facts
        facts={[
          ["SPF", <Status key="spf" value={value.spf} />],
          ["DKIM", <Status key="dkim" value={value.dkim} />],
          ["DMARC", <Status key="dmarc" value={value.dmarc} />]
        ]}
      />
    </section>
  )
}
