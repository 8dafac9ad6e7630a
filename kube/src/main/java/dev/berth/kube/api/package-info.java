/// The one door to an API server. Everything that Berth writes to Kubernetes goes through [Api],
/// whether the server is in this process, on another machine, or part of a simulation.
@NullMarked
package dev.berth.kube.api;

import org.jspecify.annotations.NullMarked;
