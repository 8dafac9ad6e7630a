/// What runs on this node as far as its agent knows: containers, those that are being stopped, and
/// pods with directories. Start at [Local]; [LocalState] holds the present one.
///
/// Always: made again at a restart from the runtime and the disk; what is lost with the process
/// costs a repeated signal or a repeated message, nothing else (`AdoptionTest`, `NodeAgentTest`).
@NullMarked
package dev.berth.node.pod.local;

import org.jspecify.annotations.NullMarked;
