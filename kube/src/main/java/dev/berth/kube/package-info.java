/// The language that all rooms speak to Kubernetes in. Start at [dev.berth.kube.loop.Controller]:
/// what a controller is; then [dev.berth.kube.loop.Loop]: what the loop promises it.
///
/// - `value`: what stands in fields: JSON, quantities, durations
/// - `object`: what every object has, and the resources under which kinds are served
/// - `name`: annotations, labels, finalizers, reasons, Leases, each name written once
/// - `model`: Kubernetes' objects as immutable records
/// - `api`: the one door to an API server
/// - `http`: that door over HTTPS
/// - `cache`: what the watches have shown, as one consistent snapshot
/// - `loop`: decide, act, wait
/// - `lease`: who is at work
/// - `event`: what users read in `kubectl describe`
@NullMarked
package dev.berth.kube;

import org.jspecify.annotations.NullMarked;
