/// How fast CSI drivers answer, and how much memory they take: any number of them side by side in
/// one run. Start at [Rpc].
///
/// Drivers take turns, one volume's life each, so that whatever else the machine does meets all of
/// them.
@NullMarked
package dev.berth.bench.rpc;

import org.jspecify.annotations.NullMarked;
