/// What a driver is told of a volume, in CSI's words: its capability and the Secrets that go with a
/// call. Start at [Capabilities].
///
/// Always: the rule of the call decides, where calls differ (`CapabilitiesTest`). A Secret is read
/// for one call and kept by nobody here.
@NullMarked
package dev.berth.volume.request;

import org.jspecify.annotations.NullMarked;
