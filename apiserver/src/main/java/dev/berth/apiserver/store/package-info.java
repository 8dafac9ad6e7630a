/// Keeps what was written on disk. Start at [Store]; every implementation passes the same contract
/// test (`StoreContract`).
///
/// Always: what `commit` returned for is there after a crash (`KilledServerTest`). Never: history
/// (`WatchTest`). A client that was away while the server was restarted lists again.
@NullMarked
package dev.berth.apiserver.store;

import org.jspecify.annotations.NullMarked;
