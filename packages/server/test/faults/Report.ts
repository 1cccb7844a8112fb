/** What a scenario found. The first four figures are those of a queue that is tested as a whole: what went in, what came out. */
export interface Report {
  /** Messages (or mails) that were answered as accepted. */
  readonly acked: number
  /** Accepted, and neither stored nor delivered nor refused by the recipient's side. */
  readonly lost: number
  /** Copies beyond the first. */
  readonly duplicated: number
  /** Copies beyond the first without `possibleDuplicate` in the history of their message. */
  readonly unflagged: number
  /** Ended as failed, and the relay was never asked. */
  readonly endedWithoutTry: number
  /** How many requests were answered with each status; 0 is no answer. */
  readonly answers: Readonly<Record<string, number>>
  /** Further figures of the scenario. */
  readonly figures: Readonly<Record<string, number>>
  /** What else was not as it must be. */
  readonly violations: ReadonlyArray<string>
}

/** What requests may be answered with while something fails: anything else is a wrong answer. */
const expectedStatuses: ReadonlySet<string> = new Set(["0", "200", "201", "503"])

/** What of a report breaks a promise. */
export const violationsOf = (report: Report): ReadonlyArray<string> => [
  ...(["lost", "unflagged", "endedWithoutTry"] as const).flatMap((name) =>
    report[name] === 0 ? [] : [`${name}: ${report[name]}`]
  ),
  ...Object.entries(report.answers).flatMap(([status, count]) =>
    expectedStatuses.has(status) ? [] : [`${count} requests were answered ${status}`]
  ),
  ...report.violations
]

const columns = ["scenario", "acked", "lost", "duplicated", "unflagged", "untried", "answers", "figures"] as const
const widths = [16, 8, 6, 11, 10, 8, 28, 0]

const row = (cells: ReadonlyArray<string>) =>
  cells
    .map((cell, index) => cell.padEnd(widths[index] ?? 0))
    .join(" ")
    .trimEnd()

export const header = row(columns)

const pairs = (values: Readonly<Record<string, number>>) =>
  Object.entries(values)
    .map(([name, value]) => `${name}:${value}`)
    .join(" ")

/** A report as a line of the table, and a line below it for each violation. */
export const describeReport = (name: string, report: Report, violations: ReadonlyArray<string>): string =>
  [
    row([
      name,
      ...[report.acked, report.lost, report.duplicated, report.unflagged, report.endedWithoutTry].map(String),
      pairs(report.answers),
      pairs(report.figures)
    ]),
    ...violations.map((violation) => `  VIOLATED ${violation}`)
  ].join("\n")
