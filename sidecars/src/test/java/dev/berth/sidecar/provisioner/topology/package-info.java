@NullMarked
package dev.berth.sidecar.provisioner.topology;

import org.jspecify.annotations.NullMarked;
