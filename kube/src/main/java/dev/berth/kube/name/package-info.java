/// The names that Kubernetes and CSI define and whoever meets in objects has to spell alike:
/// annotations, labels, finalizers, reasons of events, Leases.
///
/// Never: one that has a domain written in two places (`NamesStandOnceTest`).
@NullMarked
package dev.berth.kube.name;

import org.jspecify.annotations.NullMarked;
