/// What a look, a change and a start cost in large clusters, in memory: deciders and caches alone,
/// without a server. Start at [Scale].
@NullMarked
package dev.berth.bench.scale;

import org.jspecify.annotations.NullMarked;
