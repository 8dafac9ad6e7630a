/// Sidecars, ours and upstream's, over one API server and a driver that does nothing: what a
/// volume, an attachment and a snapshot cost beside the storage itself.
@NullMarked
package dev.berth.bench.sidecars;

import org.jspecify.annotations.NullMarked;
