/// Tells which pods stand behind a Service, in EndpointSlices and in Endpoints, as upstream's two
/// controllers do (docs/workloads.md). Start at [ServiceEndpoints].
///
/// Always: a pod that is not ready, or is going, is not said to be ready unless its Service wants
/// that (`SliceKeeperTest`). Never: changes a slice, or Endpoints, that somebody else keeps
/// (`SliceKeeperTest`, `EndpointsKeeperTest`).
///
/// Deliberately absent: hints for proxies, and the time of the last change as an annotation.
@NullMarked
package dev.berth.controller.endpoint;

import org.jspecify.annotations.NullMarked;
