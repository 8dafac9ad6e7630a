/// What a driver's sidecars are made of. Start at [Part]: one of upstream's sidecars, as a line of
/// [dev.berth.sidecar.SidecarDeciders].
@NullMarked
package dev.berth.sidecar.part;

import org.jspecify.annotations.NullMarked;
