/// What the API server lets this process do. Start at [Rights].
@NullMarked
package dev.berth.sidecar.rights;

import org.jspecify.annotations.NullMarked;
