/// What a driver is told of a volume, in CSI's words: its capability and the Secrets that go with a
/// call. Start at [Capabilities].
///
/// Always: a Secret is read at the moment of the call. Never: a Secret's content in a cache, a
/// record, a log or an error.
@NullMarked
package dev.berth.volume.request;

import org.jspecify.annotations.NullMarked;
