/// Kubernetes' own functions of CEL, as version 1.37 has them for custom resources (API-123). Start
/// at [KubernetesLibrary].
///
/// Always: what a function takes is bounded by its arguments, which whoever runs it has counted
/// (`CelLibraryTest`).
///
/// Deliberately absent: `authorizer`, which rules of custom resources do not have either.
@NullMarked
package dev.berth.apiserver.core.cel;

import org.jspecify.annotations.NullMarked;
