/// The node agent: what the kubelet does for storage. Start at [NodeAgent].
///
/// - `layout`: where the kubelet keeps what
/// - `plugin`, `identity`: drivers make themselves known; what Node and CSINode say of them
/// - `driver`: the registered drivers, ready to be called
/// - `volume`: stages, publishes and undoes it, on a record of what is mounted
/// - `pod`: containers in their order, status, end
/// - `runtime`: runs containers
@NullMarked
package dev.berth.node;

import org.jspecify.annotations.NullMarked;
