/// What a process of sidecars tells Prometheus, under upstream's names. Start at [SidecarMetrics].
@NullMarked
package dev.berth.sidecar.metric;

import org.jspecify.annotations.NullMarked;
