import type { SystemStatus } from "../../app/Types.js"
import { Status } from "../../components/Status.js"

type Finding = SystemStatus["findings"][number]

const severity: Readonly<Record<Finding["level"], number>> = { error: 0, warning: 1, ok: 2 }

/** The findings of the checks, the most severe first, with their remedies. */
export const Findings = ({ findings }: Pick<SystemStatus, "findings">) => (
  <section class="card" aria-labelledby="findings">
    <h2 id="findings">Findings</h2>
    <ul class="findings">
      {[...findings]
        .sort((one, other) => severity[one.level] - severity[other.level])
        .map(({ advice = [], level, subject }) => (
          <li key={subject}>
            <Status value={level} /> <strong>{subject}</strong>
            {advice.map((line) => (
              <p key={line}>{line}</p>
            ))}
          </li>
        ))}
    </ul>
  </section>
)
