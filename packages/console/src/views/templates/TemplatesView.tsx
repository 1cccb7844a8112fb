import { client } from "../../app/Client.js"
import { navigate } from "../../app/Location.js"
import { linkTo, paths } from "../../app/Paths.js"
import type { Template } from "../../app/Types.js"
import { curlCommand } from "../../components/CurlCommand.js"
import { feedStep } from "../../components/Feed.js"
import { TextField } from "../../components/Field.js"
import { FormDialog } from "../../components/FormDialog.js"
import { requiredText } from "../../components/FormValues.js"
import { filterText, SearchFilter } from "../../components/ListFilters.js"
import { ListView } from "../../components/ListView.js"
import { Time } from "../../components/Time.js"

const create = async (form: FormData) => {
  const { id } = await client.templates.create({
    payload: { name: requiredText(form, "name"), subject: requiredText(form, "subject"), html: "<p>Hello</p>" }
  })
  navigate(linkTo(paths.templateEditor, { id }))
}

const row = ({ name, subject, updatedAt, version }: Template) => (
  <>
    <strong>{name}</strong>
    <span class="secondary">{subject}</span>
    <span class="count">version {version}</span>
    <Time value={updatedAt} />
  </>
)

/** The templates of the organization, newest first. */
const TemplatesView = () => {
  const filters = { search: filterText("search") }
  return (
    <ListView
      title="Templates"
      noun="template"
      filters={filters}
      open={(signal) => client.templates.list.all({ urlParams: { filters, limit: feedStep } }, { signal })}
      columns="templates"
      headings={["Template", "Subject", "Version", "Changed"]}
      hrefOf={({ id }) => linkTo(paths.template, { id })}
      row={row}
      empty={{
        text: "A template has the subject and the content of mails, with variables. Create the first one:",
        command: curlCommand("/email/templates", {
          name: "Welcome",
          subject: "Welcome, {{name}}",
          html: "<p>Hello {{name}}</p>"
        })
      }}
      actions={() => (
        <FormDialog
          label="Create a template"
          kind="primary"
          permission="templates.write"
          submitLabel="Create"
          submit={create}
        >
          <TextField label="Name" name="name" required placeholder="Welcome" />
          <TextField label="Subject" name="subject" required placeholder="Welcome, {{name}}" />
          <p class="hint">The editor opens next.</p>
        </FormDialog>
      )}
    >
      <SearchFilter label="Find templates" placeholder="Find by name or subject" />
    </ListView>
  )
}

export default TemplatesView
