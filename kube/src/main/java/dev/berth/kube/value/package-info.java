/// What stands in the fields of Kubernetes' objects: JSON as it came, quantities, durations.
@NullMarked
package dev.berth.kube.value;

import org.jspecify.annotations.NullMarked;
