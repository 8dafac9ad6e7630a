/// What looking after volumes costs a node. Start at [HealthBench].
@NullMarked
package dev.berth.bench.health;

import org.jspecify.annotations.NullMarked;
