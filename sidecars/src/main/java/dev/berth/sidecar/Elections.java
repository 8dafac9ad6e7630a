package dev.berth.sidecar;

import dev.berth.kube.api.Api;
import dev.berth.kube.lease.Terms;

/// How sidecars make sure that nobody else does their work: upstream's Leases, one a sidecar, so
/// that upstream's own sidecars and ours keep each other out (ONE-18).
///
/// @param api a client that does nothing else (ONE-20)
/// @param namespace where the Leases are
/// @param identity such as the pod's name
public record Elections(Api api, String namespace, String identity, Terms terms) {}
