/// What every object of Kubernetes has, whatever its kind: key, meta, reference; and the resources
/// under which the API serves kinds. The records of single kinds are in `model`.
@NullMarked
package dev.berth.kube.object;

import org.jspecify.annotations.NullMarked;
