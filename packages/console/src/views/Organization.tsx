import { planLimits } from "@switchboard/domain/organizations/PlanLimit"
import { client } from "../app/Client.js"
import { startSession } from "../app/Session.js"
import type { Organization } from "../app/Types.js"
import { FormDialog } from "../components/Actions.js"
import { DataTable } from "../components/DataTable.js"
import { Facts, Identifier, Time } from "../components/Facts.js"
import { MetadataCard, MetadataField, metadataOf, requiredText, TextField, textOf } from "../components/Fields.js"
import { countryName, numberText, percent } from "../components/Format.js"
import { showDone } from "../components/Notices.js"
import { Card, isAlways, PendingView, useResource } from "../components/Resource.js"
import { ViewHeader } from "../components/View.js"

/** The messages of the month as a part of the plan's limit. */
const PlanUsage = ({ plan, used }: { readonly plan: Organization["plan"]; readonly used: number }) => {
  const limit = planLimits[plan]
  if (!Number.isFinite(limit)) return <p>{numberText(used)} messages this month, without a limit</p>
  const share = used / limit
  return (
    <>
      <p>
        {numberText(used)} of {numberText(limit)} messages this month ({percent(share)})
      </p>
      <meter
        aria-label="Messages of the plan that are used"
        value={Math.min(used, limit)}
        max={limit}
        high={0.8 * limit}
        optimum={0}
      />
      {used >= limit && <p class="last-error">The limit is reached: sends are refused until the counters are reset.</p>}
    </>
  )
}

/** The plan of the organization and what it has used. */
const Usage = ({ organization }: { readonly organization: Organization }) => {
  const { conversationsUsed, messagesResetAt, messagesUsedThisMonth, participantsUsed, plan } = organization
  return (
    <Card
      class="usage"
      title={
        <>
          Plan and usage <span class="tag">{plan}</span>
        </>
      }
    >
      <PlanUsage plan={plan} used={messagesUsedThisMonth} />
      <p class="hint">
        The counters of the month start again on <Time value={messagesResetAt} isComplete />. Test messages are not
        counted.
      </p>
      <DataTable
        caption="Usage"
        columns={["", "This month", "In total"]}
        rows={[
          ["Messages", numberText(messagesUsedThisMonth), numberText(organization.messagesUsed)],
          ["E-mail", numberText(organization.emailUsedThisMonth), numberText(organization.emailUsed)],
          ["SMS", numberText(organization.smsUsedThisMonth), numberText(organization.smsUsed)],
          ["WhatsApp", numberText(organization.whatsappUsedThisMonth), numberText(organization.whatsappUsed)],
          ["Contacts", "", numberText(participantsUsed)],
          ["Conversations", "", numberText(conversationsUsed)]
        ]}
      />
    </Card>
  )
}

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
      value={organization.countryCode}
      hint="The code of two letters (ISO 3166-1)."
    />
    <TextField
      label="E-mail address for bills"
      name="billingEmail"
      inputMode="email"
      placeholder="accounts@example.com"
      value={organization.billingEmail}
    />
    <TextField
      label="Logo"
      name="logo"
      inputMode="url"
      placeholder="https://example.com/logo.svg"
      value={organization.logo}
      hint="The URL of an image."
    />
    <MetadataField value={organization.metadata} />
  </>
)

/** The settings, the plan and the usage of the organization. */
export const OrganizationView = () => {
  const events = ["organization.", "message.created"]
  const resource = useResource("", (options) => client.organizations.get({}, options), events, isAlways)
  const { value } = resource
  if (value === undefined) return <PendingView title="Settings and usage" resource={resource} />
  const edit = async (form: FormData) => {
    resource.replace(await client.organizations.update({ payload: settingsOf(form) }))
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
          <Card title="Settings">
            <Facts
              facts={[
                ["Name", name],
                ["Short name", slug],
                ["Time zone", timezone],
                ["Currency", defaultCurrency],
                ["Country", countryCode === undefined ? "none" : countryName(countryCode)],
                ["Bills to", billingEmail ?? "none"],
                ["Logo", logo ?? "none"],
                ["Created", createdAt],
                ["Id", <Identifier key="id" label="id" value={id} />]
              ]}
            />
          </Card>
          <MetadataCard value={metadata} />
        </aside>
      </div>
    </>
  )
}
