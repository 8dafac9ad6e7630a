/// What drivers say of how volumes are, in Kubernetes' words: for the monitor of a driver's
/// controller and for node agents. Start at [Report].
@NullMarked
package dev.berth.volume.health;

import org.jspecify.annotations.NullMarked;
