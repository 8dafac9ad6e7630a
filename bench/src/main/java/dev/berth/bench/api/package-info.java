/// Figures of an API server, ours or another, seen from outside over HTTPS. Start at [ApiBench].
@NullMarked
package dev.berth.bench.api;

import org.jspecify.annotations.NullMarked;
