import { useState } from "preact/hooks"
import { client } from "../app/Client.js"
import { useUnsaved } from "../app/Location.js"
import { linkTo, type PathParams, paths } from "../app/Paths.js"
import type { VoiceWorkflow } from "../app/Types.js"
import { submitTo, useAction } from "../components/Actions.js"
import { parseJsonObject, TextField } from "../components/Fields.js"
import { ErrorNotice } from "../components/Notices.js"
import { PendingView, useResource } from "../components/Resource.js"
import { ViewHeader } from "../components/View.js"
import { WorkflowGraph } from "./WorkflowGraph.js"

type WorkflowNode = VoiceWorkflow["nodes"][number]
type NodeType = WorkflowNode["type"]

/** The steps that can be added, with the configuration that each begins with. */
const steps: { readonly [Type in NodeType]: Extract<WorkflowNode, { readonly type: Type }>["data"] } = {
  "trigger.callStarted": undefined,
  "trigger.callEnded": undefined,
  "action.speak": { config: { text: "Hello!" } },
  "action.listen": { config: { timeoutSeconds: 5, variable: "reply" } },
  "action.menu": { config: { prompt: "Sales or support?", items: [{ id: "sales", label: "Sales" }] } },
  "action.transfer": { config: { to: "+442079460018" } },
  "action.sendMessage": {
    config: { channel: "email", to: "ada@example.com", subject: "A call", text: "They said: {{reply}}" }
  },
  "action.httpRequest": { config: { url: "https://example.com/calls", method: "POST", variable: "response" } },
  "action.hangup": undefined,
  "logic.condition": { config: { variable: "reply", operator: "contains", value: "order" } },
  "logic.delay": { config: { seconds: 2 } },
  "ai.respond": { config: { prompt: "Answer questions about orders." } }
}

/** The nodes and the edges in a JSON text. The service checks them when they are saved. */
const parseGraph = (json: string) => {
  try {
    const { edges = [], nodes = [] } = parseJsonObject(json)
    if (Array.isArray(nodes) && Array.isArray(edges)) return { nodes, edges }
  } catch (error) {
    throw new Error(`The graph is no JSON object. ${error instanceof Error ? error.message : error}`)
  }
  throw new Error("The nodes and the edges must be lists.")
}

const jsonOf = (nodes: ReadonlyArray<unknown>, edges: ReadonlyArray<unknown>) => {
  const list = (values: ReadonlyArray<unknown>) =>
    values.length === 0 ? "[]" : `[\n${values.map((value) => `    ${JSON.stringify(value)}`).join(",\n")}\n  ]`
  return `{\n  "nodes": ${list(nodes)},\n  "edges": ${list(edges)}\n}`
}

/** The graph with another step, which follows the last one unless another step does. */
const withStep = (json: string, type: NodeType): string => {
  const { edges, nodes } = parseGraph(json)
  const id = `${type.slice(type.indexOf(".") + 1)}-${nodes.length + 1}`
  const source = nodes.at(-1)?.id
  const isLinked =
    source !== undefined && !type.startsWith("trigger.") && !edges.some((edge) => edge?.source === source)
  const edge = { id: `${source}-${id}`, source, target: id }
  return jsonOf([...nodes, { id, type, data: steps[type] }], isLinked ? [...edges, edge] : edges)
}

const isStep = (type: string): type is NodeType => Object.hasOwn(steps, type)

const fieldsOf = ({ description = "", edges, name, nodes }: VoiceWorkflow) => ({
  name,
  description,
  graph: jsonOf(nodes, edges)
})

interface EditorProps {
  readonly workflow: VoiceWorkflow
  readonly saved: (workflow: VoiceWorkflow) => void
}

const Editor = ({ saved, workflow }: EditorProps) => {
  const { edges, id, nodes } = workflow
  const [fields, setFields] = useState(() => fieldsOf(workflow))
  const change = (changes: Partial<typeof fields>) => setFields((current) => ({ ...current, ...changes }))
  const snapshot = JSON.stringify(fields)
  const [stored, setStored] = useState(snapshot)
  useUnsaved(snapshot !== stored)
  const { busy, error, run } = useAction(
    async () => {
      const { description, graph, name } = fields
      const payload = { ...parseGraph(graph), name, description: description === "" ? null : description }
      saved(await client.voiceWorkflows.update({ path: { id }, payload }))
      setStored(snapshot)
    },
    { done: "The draft is saved" }
  )
  const step = useAction(async (type: NodeType) => change({ graph: withStep(fields.graph, type) }))
  return (
    <>
      <ViewHeader title={`Edit ${workflow.name}`} back={{ href: linkTo(paths.workflow, { id }), label: workflow.name }}>
        {snapshot !== stored && <span class="tag">not saved</span>}
        <button type="submit" form="workflow" class="button primary" disabled={busy || snapshot === stored}>
          Save
        </button>
      </ViewHeader>
      <form id="workflow" class="card padded form" aria-label="Workflow" onSubmit={submitTo(run)}>
        {(step.error ?? error) !== undefined && <ErrorNotice error={step.error ?? error} />}
        <TextField label="Name" name="name" required value={fields.name} change={(name) => change({ name })} />
        <TextField
          label="Description"
          name="description"
          value={fields.description}
          change={(description) => change({ description })}
        />
        <fieldset>
          <legend>Add a step</legend>
          <div class="placeholders">
            {Object.keys(steps)
              .filter(isStep)
              .map((type) => (
                <button key={type} type="button" class="tag" onClick={() => void step.run(type)}>
                  {type}
                </button>
              ))}
          </div>
          <small>A step is added at the end, with an example of its configuration to change.</small>
        </fieldset>
        <TextField
          label="Graph"
          name="graph"
          lines={18}
          isCode
          value={fields.graph}
          change={(graph) => change({ graph })}
          hint="An edge leads from its source to its target. Its sourceHandle is the id of the menu item, or true or false after a condition; without one it is taken otherwise. Errors count nodes and edges from 0. Calls follow the graph once it is published."
        />
      </form>
      <WorkflowGraph nodes={nodes} edges={edges} />
    </>
  )
}

/** The form of a workflow, with the drawing of its saved graph. */
export const WorkflowEditor = ({ id }: PathParams<typeof paths.workflowEditor>) => {
  const resource = useResource(id, (options) => client.voiceWorkflows.get({ path: { id } }, options))
  const { value } = resource
  if (value !== undefined) return <Editor workflow={value} saved={resource.replace} />
  const back = { href: linkTo(paths.workflow, { id }), label: "Workflow" }
  return <PendingView title="Edit the workflow" back={back} resource={resource} />
}
