/// Maps that are replaced, never changed, in which a look costs the same however much there is:
/// what snapshots file their objects in.
///
/// Always: a map stays what it was, whatever is made of it (`HashTrieTest`).
@NullMarked
package dev.berth.kube.map;

import org.jspecify.annotations.NullMarked;
