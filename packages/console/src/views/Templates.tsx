import { client } from "../app/Client.js"
import { navigate, place } from "../app/Location.js"
import { linkTo, type PathParams, paths } from "../app/Paths.js"
import { can } from "../app/SessionState.js"
import type { Template, TemplateVersion } from "../app/Types.js"
import { ActionButton, FormDialog, LinkButton } from "../components/Actions.js"
import { Facts, Time } from "../components/Facts.js"
import { feedStep, useFeed } from "../components/Feed.js"
import { LoadMore } from "../components/FeedList.js"
import { requiredText, SelectField, TextField, textOf } from "../components/Fields.js"
import { filterText, listView } from "../components/ListView.js"
import { Card, DeleteButton, FactsCard, PendingView, useResource } from "../components/Resource.js"
import { ViewHeader } from "../components/View.js"
import { channelNames } from "./MessageRow.js"
import { TemplatePreview } from "./TemplatePreview.js"

const channels = ["email", "sms", "whatsapp"] as const

const create = async (form: FormData) => {
  const name = requiredText(form, "name")
  const channel = channels.find((one) => one === textOf(form, "channel")) ?? "email"
  const parts =
    channel === "email" ? { subject: requiredText(form, "subject"), html: "<p>Hello</p>" } : { text: "Hello" }
  const { id } = await client.templates.create({ payload: { name, channel, ...parts } })
  navigate(linkTo(paths.templateEditor, { id }))
}

const row = ({ channel, name, subject, text, updatedAt, version }: Template) => (
  <>
    <span class="name">
      <strong>{name}</strong>
      {channel !== "email" && <span class="tag">{channelNames[channel]}</span>}
    </span>
    <span class="secondary">{subject ?? text}</span>
    <span class="count">version {version}</span>
    <Time value={updatedAt} />
  </>
)

/** The templates of the organization, newest first. */
export const TemplatesView = listView({
  title: "Templates",
  noun: "template",
  search: "Find by name or subject",
  filters: () => ({ search: filterText("search") }),
  open: (filters, signal) => client.templates.list.all({ urlParams: { filters, limit: feedStep } }, { signal }),
  layout: "templates",
  columns: { Template: "minmax(110px, 0.8fr)", Subject: 1.4, Version: "80px", Changed: "96px" },
  hrefOf: ({ id }) => linkTo(paths.template, { id }),
  row,
  empty: "A template has the subject and the content of mails, with variables. Create the first one:",
  example: [
    "/email/templates",
    {
      name: "Welcome",
      subject: "Welcome, {{name}}",
      html: "<p>Hello {{name}}</p>"
    }
  ],
  actions: () => (
    <FormDialog
      label="Create a template"
      kind="primary"
      permission="templates.write"
      submitLabel="Create"
      submit={create}
    >
      <TextField label="Name" name="name" required placeholder="Welcome" />
      <SelectField
        label="Channel"
        name="channel"
        options={channels.map((channel) => [channel, channelNames[channel]])}
      />
      <TextField label="Subject" name="subject" placeholder="Welcome, {{name}}" hint="Of an e-mail only." />
      <p class="hint">The editor opens next.</p>
    </FormDialog>
  )
})

interface TemplateVersionsProps {
  readonly template: Template
  readonly restored: (template: Template) => void
}

const keyOf = ({ version }: TemplateVersion) => String(version)

/** The versions of a template, newest first. Each opens to its content. */
const TemplateVersions = ({ restored, template: { id, version: current } }: TemplateVersionsProps) => {
  const feed = useFeed(`${id} ${current}`, keyOf, (signal) =>
    client.templates.versions.all({ path: { id }, urlParams: { limit: feedStep } }, { signal })
  )
  const restore = async ({ html, subject, text, variables }: TemplateVersion) => {
    const fallbacks = variables.flatMap(({ fallback, name }) => (fallback === undefined ? [] : [{ name, fallback }]))
    const payload = { subject, html, text: text ?? null, variables: fallbacks }
    restored(await client.templates.update({ path: { id }, payload }))
  }
  return (
    <Card class="versions" title="Versions">
      <ul aria-label="Versions" aria-busy={feed.state.value._tag === "Loading"}>
        {feed.items.value.map((version) => (
          <li key={version.version}>
            <details open={place.value.query.get("version") === String(version.version)}>
              <summary>
                Version {version.version}
                {version.version === current && <span class="tag">current</span>}
                <Time value={version.createdAt} />
              </summary>
              <div class="form">
                <strong>{version.subject}</strong>
                <pre class="mail-text">{version.html}</pre>
                {version.text !== undefined && <pre class="mail-text">{version.text}</pre>}
                {version.version !== current && (
                  <div class="buttons">
                    <ActionButton
                      label="Restore"
                      permission="templates.write"
                      confirm={`The content of version ${version.version} becomes a new version. Later sends use it.`}
                      action={() => restore(version)}
                      done={`The content of version ${version.version} is current again`}
                    />
                  </div>
                )}
              </div>
            </details>
          </li>
        ))}
      </ul>
      <LoadMore feed={feed} />
    </Card>
  )
}

const back = { href: linkTo(paths.templates, {}), label: "Templates" }

/** The use of a variable in a send. */
const useOf = (required: boolean, fallback: string | undefined): string =>
  required ? "required" : fallback === undefined ? "optional" : `optional, else “${fallback}”`

/** One template: its preview with data, its variables, its versions. */
export const TemplateView = ({ id }: PathParams<typeof paths.template>) => {
  const resource = useResource(id, (options) => client.templates.get({ path: { id } }, options))
  const { value } = resource
  if (value === undefined) return <PendingView title="Template" back={back} resource={resource} />
  const { channel, createdAt, name, updatedAt, variables, version } = value
  const tab = channel === "email" ? undefined : channel
  return (
    <>
      <ViewHeader title={name} back={back}>
        {can("messages.send") && <LinkButton label="Send" href={linkTo(paths.send, {}, { template: id, tab })} />}
        {can("templates.write") && (
          <LinkButton label="Edit" href={linkTo(paths.templateEditor, { id })} kind="primary" />
        )}
        <DeleteButton
          permission="templates.write"
          confirm={`Delete the template ${name}? Sends with it are rejected. Accepted messages keep their content.`}
          action={() => client.templates.remove({ path: { id } })}
          done="The template is deleted"
          to={back.href}
        />
      </ViewHeader>
      <div class="detail">
        <TemplatePreview template={value} />
        <aside>
          <FactsCard
            facts={[
              ["Channel", channelNames[channel]],
              ["Version", String(version)],
              ["Changed", updatedAt],
              ["Created", createdAt]
            ]}
            id={id}
          />
          <Card title="Variables">
            {variables.length === 0 ? (
              <p class="hint">None</p>
            ) : (
              <Facts facts={variables.map((one) => [one.name, useOf(one.required, one.fallback)] as const)} />
            )}
          </Card>
          <TemplateVersions template={value} restored={resource.replace} />
        </aside>
      </div>
    </>
  )
}
