// How vite-node runs the scenarios of `npm run faults`: workspace packages are read from their sources, as in tests.
const conditions = ["source", "node", "import", "default"]

export default { resolve: { conditions }, ssr: { resolve: { conditions } } }
