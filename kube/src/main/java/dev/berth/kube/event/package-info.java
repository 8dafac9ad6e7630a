/// What users read in `kubectl describe`: events, written best effort and aggregated.
@NullMarked
package dev.berth.kube.event;

import org.jspecify.annotations.NullMarked;
