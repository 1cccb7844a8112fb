import { client } from "../../app/Client.js"
import { navigate } from "../../app/Location.js"
import { linkTo, paths } from "../../app/Paths.js"
import { curlCommand } from "../../components/CurlCommand.js"
import { feedStep } from "../../components/Feed.js"
import { TextField } from "../../components/Field.js"
import { FormDialog } from "../../components/FormDialog.js"
import { requiredText } from "../../components/FormValues.js"
import { ChoiceFilter, filterChoice, filterText, SearchFilter } from "../../components/ListFilters.js"
import { ListView } from "../../components/ListView.js"
import { Status } from "../../components/Status.js"
import { Time } from "../../components/Time.js"

const statuses = ["pending", "verified", "degraded", "failed"] as const

const add = async (form: FormData) => {
  const { id } = await client.domains.create({ payload: { domain: requiredText(form, "domain") } })
  navigate(linkTo(paths.domain, { id }))
}

/** The domains of the organization, newest first. */
const DomainsView = () => {
  const filters = { search: filterText("search"), status: filterChoice("status", statuses) }
  return (
    <ListView
      title="Domains"
      noun="domain"
      filters={filters}
      open={(signal) => client.domains.list.all({ urlParams: { filters, limit: feedStep } }, { signal })}
      events={["email_domain."]}
      columns="domains"
      headings={["Domain", "Status", "Added"]}
      hrefOf={({ id }) => linkTo(paths.domain, { id })}
      row={({ createdAt, domain, status }) => (
        <>
          <strong>{domain}</strong>
          <Status value={status} />
          <Time value={createdAt} />
        </>
      )}
      empty={{
        text: "Add the domain that you send from:",
        command: curlCommand("/email/domains", { domain: "example.com" })
      }}
      actions={() => (
        <FormDialog label="Add a domain" kind="primary" permission="domains.write" submitLabel="Add" submit={add}>
          <TextField
            label="Domain"
            name="domain"
            placeholder="example.com"
            required
            hint="The next page has the DNS records to publish."
          />
        </FormDialog>
      )}
    >
      <SearchFilter label="Find domains" placeholder="Find by name" />
      <ChoiceFilter name="status" label="Status" values={statuses} />
    </ListView>
  )
}

export default DomainsView
