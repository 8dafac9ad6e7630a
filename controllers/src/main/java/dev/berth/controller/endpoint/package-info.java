/// Tells which pods stand behind a Service, in EndpointSlices and in Endpoints, as upstream's two
/// controllers do (docs/workloads.md). Start at [ServiceEndpoints].
///
/// Always: a pod that is not ready, or is going, is not said to be ready unless its Service wants
/// that (`SliceKeeperTest`). Never: changes a slice that somebody else keeps (`SliceKeeperTest`),
/// or the Endpoints of a Service that has no selector. Those of one that has a selector it takes
/// over, whoever made them (`EndpointsKeeperTest`).
///
/// Deliberately absent: hints for proxies, and the time of the last change as an annotation.
@NullMarked
package dev.berth.controller.endpoint;

import org.jspecify.annotations.NullMarked;
