import { client, serviceUrl } from "../../app/Client.js"
import { navigate, place } from "../../app/Location.js"
import { linkTo, paths } from "../../app/Paths.js"
import { EmptyState } from "../../components/EmptyState.js"
import { feedStep } from "../../components/Feed.js"
import { FeedList } from "../../components/FeedList.js"
import { TextField } from "../../components/Field.js"
import { FormDialog } from "../../components/FormDialog.js"
import { requiredText } from "../../components/FormValues.js"
import { ChoiceFilter, SearchFilter, searchOf } from "../../components/ListFilters.js"
import { Status } from "../../components/Status.js"
import { Time } from "../../components/Time.js"
import { idOf, useResources } from "../../components/UseResources.js"
import { ViewHeader } from "../../components/ViewHeader.js"

const statuses = ["pending", "verified", "degraded", "failed"] as const

const command = `curl ${serviceUrl}/v1/email/domains \\
  -H "X-API-Key: $KEY" -H 'Content-Type: application/json' \\
  -d '{"domain":"example.com"}'`

const add = async (form: FormData) => {
  const { id } = await client.domains.create({ payload: { domain: requiredText(form, "domain") } })
  navigate(linkTo(paths.domain, { id }))
}

/** The domains of the organization, newest first. */
const DomainsView = () => {
  const { query } = place.value
  const status = statuses.find((value) => value === query.get("status"))
  const filters = { ...searchOf(query), ...(status === undefined ? {} : { status }) }
  const key = JSON.stringify(filters)
  const { feed } = useResources(
    key,
    (signal) => client.domains.list.all({ urlParams: { filters, limit: feedStep } }, { signal }),
    ["email_domain."]
  )
  return (
    <>
      <ViewHeader title="Domains">
        <FormDialog label="Add a domain" kind="primary" permission="domains.write" submitLabel="Add" submit={add}>
          <TextField
            label="Domain"
            name="domain"
            placeholder="example.com"
            required
            hint="The next page has the DNS records to publish."
          />
        </FormDialog>
      </ViewHeader>
      <search class="filters">
        <SearchFilter label="Find domains" placeholder="Find by name" />
        <ChoiceFilter name="status" label="Status" values={statuses} />
      </search>
      <FeedList
        label="Domains"
        columns="domains"
        feed={feed}
        keyOf={idOf}
        hrefOf={({ id }) => linkTo(paths.domain, { id })}
        row={({ createdAt, domain, status: state }) => (
          <>
            <strong>{domain}</strong>
            <Status value={state} />
            <Time value={createdAt} />
          </>
        )}
        empty={
          key === "{}" ? (
            <EmptyState title="No domains yet" text="Add the domain that you send from:" command={command} />
          ) : (
            <EmptyState title="No domain matches" text="Change the filters, or remove them." />
          )
        }
      />
    </>
  )
}

export default DomainsView
