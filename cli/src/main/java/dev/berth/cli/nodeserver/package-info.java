/// The server of a node agent, on the kubelet's port: what an API server asks a node for on behalf
/// of a client, `logs`, `exec`, `attach` and `port-forward`, and the node's metrics. Start at
/// [NodeServer].
///
/// Always: who asks is known to the API server, and may do it by its rules (`NodeServerTest`).
/// Never: a request costs the agent more than its connection; what comes from outside has a bound
/// (`NodeServerTest`).
@NullMarked
package dev.berth.cli.nodeserver;

import org.jspecify.annotations.NullMarked;
