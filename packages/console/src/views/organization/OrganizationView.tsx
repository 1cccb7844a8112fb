import { client } from "../../app/Client.js"
import { useEvents } from "../../app/LiveEvents.js"
import { startSession } from "../../app/Session.js"
import { showDone } from "../../app/Toasts.js"
import type { Organization } from "../../app/Types.js"
import { Facts } from "../../components/Facts.js"
import { TextField } from "../../components/Field.js"
import { FormDialog } from "../../components/FormDialog.js"
import { requiredText, textOf } from "../../components/FormValues.js"
import { Identifier } from "../../components/Identifier.js"
import { MetadataCard, MetadataField, metadataOf } from "../../components/MetadataField.js"
import { Pending } from "../../components/Pending.js"
import { Time } from "../../components/Time.js"
import { useLatest } from "../../components/UseLatest.js"
import { useLoad } from "../../components/UseLoad.js"
import { ViewHeader } from "../../components/ViewHeader.js"
import { countryName } from "../analytics/CountryName.js"
import { Usage } from "./Usage.js"

/** The request of a form. Empty fields that an organization may lack are null, which removes them. */
const settingsOf = (form: FormData) => ({
  name: requiredText(form, "name"),
  slug: requiredText(form, "slug"),
  timezone: requiredText(form, "timezone"),
  defaultCurrency: requiredText(form, "defaultCurrency"),
  countryCode: textOf(form, "countryCode") ?? null,
  billingEmail: textOf(form, "billingEmail") ?? null,
  logo: textOf(form, "logo") ?? null,
  metadata: metadataOf(form) ?? null
})

const SettingsFields = ({ organization }: { readonly organization: Organization }) => (
  <>
    <TextField label="Name" name="name" required value={organization.name} />
    <TextField
      label="Short name"
      name="slug"
      required
      value={organization.slug}
      hint="Lowercase letters, digits and hyphens; unique in the installation."
    />
    <TextField
      label="Time zone"
      name="timezone"
      required
      value={organization.timezone}
      suggestions={["UTC", ...Intl.supportedValuesOf("timeZone")]}
      hint="The days of the analytics begin at midnight in this zone."
    />
    <TextField
      label="Currency"
      name="defaultCurrency"
      required
      value={organization.defaultCurrency}
      suggestions={Intl.supportedValuesOf("currency")}
      hint="The currency of the cost of new messages."
    />
    <TextField
      label="Country"
      name="countryCode"
      placeholder="DE"
      value={organization.countryCode ?? ""}
      hint="The code of two letters (ISO 3166-1)."
    />
    <TextField
      label="E-mail address for bills"
      name="billingEmail"
      inputMode="email"
      placeholder="accounts@example.com"
      value={organization.billingEmail ?? ""}
    />
    <TextField
      label="Logo"
      name="logo"
      inputMode="url"
      placeholder="https://example.com/logo.svg"
      value={organization.logo ?? ""}
      hint="The URL of an image."
    />
    <MetadataField value={organization.metadata} />
  </>
)

/** The settings, the plan and the usage of the organization. */
const OrganizationView = () => {
  const { error, reload, replace, value } = useLoad((signal) => client.organizations.get({}, { signal }), [])
  const refresh = useLatest(async () => replace(await client.organizations.get()))
  useEvents(["organization.", "message.created"], refresh)
  if (value === undefined) {
    return (
      <>
        <ViewHeader title="Settings and usage" />
        <Pending error={error} reload={reload} />
      </>
    )
  }
  const edit = async (form: FormData) => {
    replace(await client.organizations.update({ payload: settingsOf(form) }))
    showDone("The settings are saved")
    // The navigation shows the name of the organization of the session.
    await startSession()
  }
  const { billingEmail, countryCode, createdAt, defaultCurrency, id, logo, metadata, name, slug, timezone } = value
  return (
    <>
      <ViewHeader title="Settings and usage">
        <FormDialog label="Edit" kind="primary" permission="organization.write" submitLabel="Save" submit={edit}>
          <SettingsFields organization={value} />
        </FormDialog>
      </ViewHeader>
      <div class="detail">
        <div>
          <Usage organization={value} />
        </div>
        <aside>
          <section class="card" aria-labelledby="settings">
            <h2 id="settings">Settings</h2>
            <Facts
              facts={[
                ["Name", name],
                ["Short name", slug],
                ["Time zone", timezone],
                ["Currency", defaultCurrency],
                ["Country", countryCode === undefined ? "none" : countryName(countryCode)],
                ["Bills to", billingEmail ?? "none"],
                ["Logo", logo ?? "none"],
                ["Created", <Time key="created" value={createdAt} isComplete />],
                ["Id", <Identifier key="id" label="id" value={id} />]
              ]}
            />
          </section>
          <MetadataCard value={metadata} />
        </aside>
      </div>
    </>
  )
}

export default OrganizationView
