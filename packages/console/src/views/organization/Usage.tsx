import { planLimits } from "@switchboard/domain/organizations/PlanLimit"
import type { Organization } from "../../app/Types.js"
import { DataTable } from "../../components/DataTable.js"
import { Time } from "../../components/Time.js"
import { percent } from "../analytics/Percent.js"

const count = (value: number) => value.toLocaleString("en")

/** The messages of the month as a part of the plan's limit. */
const PlanUsage = ({ plan, used }: { readonly plan: Organization["plan"]; readonly used: number }) => {
  const limit = planLimits[plan]
  if (!Number.isFinite(limit)) return <p>{count(used)} messages this month, without a limit</p>
  const share = used / limit
  return (
    <>
      <p>
        {count(used)} of {count(limit)} messages this month ({percent(share)})
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
export const Usage = ({ organization }: { readonly organization: Organization }) => {
  const { conversationsUsed, messagesResetAt, messagesUsedThisMonth, participantsUsed, plan } = organization
  return (
    <section class="card usage" aria-labelledby="usage">
      <h2 id="usage">
        Plan and usage <span class="tag">{plan}</span>
      </h2>
      <PlanUsage plan={plan} used={messagesUsedThisMonth} />
      <p class="hint">
        The counters of the month start again on <Time value={messagesResetAt} isComplete />. Test messages are not
        counted.
      </p>
      <DataTable
        caption="Usage"
        columns={["", "This month", "In total"]}
        rows={[
          ["Messages", count(messagesUsedThisMonth), count(organization.messagesUsed)],
          ["E-mail", count(organization.emailUsedThisMonth), count(organization.emailUsed)],
          ["SMS", count(organization.smsUsedThisMonth), count(organization.smsUsed)],
          ["WhatsApp", count(organization.whatsappUsedThisMonth), count(organization.whatsappUsed)],
          ["Contacts", "", count(participantsUsed)],
          ["Conversations", "", count(conversationsUsed)]
        ]}
      />
    </section>
  )
}
