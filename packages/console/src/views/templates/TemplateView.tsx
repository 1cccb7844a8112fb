import { client } from "../../app/Client.js"
import { navigate } from "../../app/Location.js"
import { linkTo, paths } from "../../app/Paths.js"
import { can } from "../../app/SessionState.js"
import { showDone } from "../../app/Toasts.js"
import type { ViewProps } from "../../app/View.js"
import { ActionButton } from "../../components/ActionButton.js"
import { Facts } from "../../components/Facts.js"
import { Identifier } from "../../components/Identifier.js"
import { Pending } from "../../components/Pending.js"
import { Time } from "../../components/Time.js"
import { useLoad } from "../../components/UseLoad.js"
import { ViewHeader } from "../../components/ViewHeader.js"
import { TemplatePreview } from "./TemplatePreview.js"
import { TemplateVersions } from "./TemplateVersions.js"

const back = { href: linkTo(paths.templates, {}), label: "Templates" }

/** The use of a variable in a send. */
const useOf = (required: boolean, fallback: string | undefined): string =>
  required ? "required" : fallback === undefined ? "optional" : `optional, else “${fallback}”`

/** One template: its preview with data, its variables, its versions. */
const TemplateView = ({ params: { id } }: ViewProps<typeof paths.template>) => {
  const { error, reload, replace, value } = useLoad(
    (signal) => client.templates.get({ path: { id } }, { signal }),
    [id]
  )
  if (value === undefined) {
    return (
      <>
        <ViewHeader title="Template" back={back} />
        <Pending error={error} reload={reload} />
      </>
    )
  }
  const remove = async () => {
    await client.templates.remove({ path: { id } })
    showDone("The template is deleted")
    navigate(back.href)
  }
  const { createdAt, name, updatedAt, variables, version } = value
  return (
    <>
      <ViewHeader title={name} back={back}>
        {can("messages.send") && (
          <a class="button" href={linkTo(paths.send, {}, { template: id })}>
            Send
          </a>
        )}
        {can("templates.write") && (
          <a class="button primary" href={linkTo(paths.templateEditor, { id })}>
            Edit
          </a>
        )}
        <ActionButton
          label="Delete"
          kind="danger"
          permission="templates.write"
          confirm={`Delete the template ${name}? Sends with it are rejected. Accepted messages keep their content.`}
          action={remove}
        />
      </ViewHeader>
      <div class="detail">
        <TemplatePreview template={value} />
        <aside>
          <section class="card" aria-label="Facts">
            <Facts
              facts={[
                ["Version", String(version)],
                ["Changed", <Time key="changed" value={updatedAt} isComplete />],
                ["Created", <Time key="created" value={createdAt} isComplete />],
                ["Id", <Identifier key="id" label="id" value={id} />]
              ]}
            />
          </section>
          <section class="card" aria-labelledby="variables">
            <h2 id="variables">Variables</h2>
            {variables.length === 0 ? (
              <p class="hint">None</p>
            ) : (
              <Facts facts={variables.map((one) => [one.name, useOf(one.required, one.fallback)] as const)} />
            )}
          </section>
          <TemplateVersions template={value} restored={replace} />
        </aside>
      </div>
    </>
  )
}

export default TemplateView
