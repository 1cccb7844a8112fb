import { DataTable } from "../../components/DataTable.js"
import type { Graph } from "./GraphLayout.js"
import { stepName } from "./StepName.js"

/** The steps of a workflow as a table, each with the steps that follow. */
export const WorkflowSteps = ({ edges, nodes }: Graph) => {
  const names = new Map(nodes.map((node) => [node.id, stepName(node)]))
  const nextOf = (id: string) =>
    edges
      .filter(({ source }) => source === id)
      .map(({ label, sourceHandle, target }) => {
        const outcome = label ?? sourceHandle
        const name = names.get(target) ?? target
        return outcome === undefined ? name : `${outcome}: ${name}`
      })
      .join("; ")
  return (
    <section class="card padded steps" aria-label="Steps">
      <h2>Steps</h2>
      <DataTable
        caption="Steps"
        columns={["Step", "Type", "Next"]}
        rows={nodes.map((node) => [stepName(node), node.type, nextOf(node.id)])}
      />
    </section>
  )
}
