/// The node agent: what the kubelet does for storage. Start at [NodeAgent].
///
/// - `layout`: where the kubelet keeps what
/// - `plugin`, `identity`: drivers make themselves known; what Node and CSINode say of them
/// - `driver`: the registered drivers, ready to be called
/// - `volume`: stages, publishes and undoes it, on a record of what is mounted
/// - `pod`: containers in their order, status, end
/// - `drain`: when everything is to end
/// - `runtime`: runs containers
///
/// [NodeDeciders] is the list of what is decided; [Presumption] is what stands for an agent's own
/// knowledge where only objects are seen.
@NullMarked
package dev.berth.node;

import org.jspecify.annotations.NullMarked;
