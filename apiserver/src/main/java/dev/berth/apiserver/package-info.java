/// The embedded Kubernetes API server: runs the state machine of `core` over a store. Start at
/// [ApiServer], which [EmbeddedApiServer] is.
///
/// Always: an answer to a write is given after the write is on disk, and watchers see writes in the
/// order of their revisions (`ApiServerRaceTest`, `KilledServerTest`). Never: HTTP, which is
/// `dev.berth.apiserver.http` (`AbsencesArchitectureTest`).
@NullMarked
package dev.berth.apiserver;

import org.jspecify.annotations.NullMarked;
