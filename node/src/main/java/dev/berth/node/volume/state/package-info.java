/// What is mounted on this node as far as its agent knows: the actual state that decisions about
/// volumes and pods read (spec/node.md, section 3). Start at [Actual]; [ActualState] holds the
/// present one.
///
/// Always: a value that a restart finds again on disk, or that only costs the repetition of an
/// idempotent call when lost (`NodeUnderFireTest`). A mount is announced before the driver hears of
/// it, so nothing is mounted that is not known here.
@NullMarked
package dev.berth.node.volume.state;

import org.jspecify.annotations.NullMarked;
