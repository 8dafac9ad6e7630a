/// What Kubernetes' own controllers do for storage (spec/control-plane.md), one package each:
///
/// - `ephemeral`: pods get the claims that they want for themselves alone
/// - `binder`: claims and volumes find each other, and part
/// - `scheduler`: pods get nodes that their volumes can reach
/// - `attachdetach`: volumes are attached where pods need them
/// - `protection`: what is in use is not deleted
/// - `disruption`: budgets say how many pods may go
/// - `deployment`, `replicaset`: templates are rolled out, and have their pods
/// - `daemonset`: nodes have their pods; `job`: pods run until enough have succeeded
/// - `statefulset`: sets have their pods, and these their claims; `workload` is what it shares with
///   others that keep pods
/// - `roster`: the list of them all
///
/// Here stands what several of them share: the second ways to find objects, how a pod names its
/// claims, which volume serves a claim, and patches that apply only to what was seen.
///
/// Always: state is read from the API and written to it, so that a restart at any moment leads to
/// the same decisions (AD-65, `SimulationTest`). Never: a controller calls another; they meet in
/// the API's objects (`AbsencesArchitectureTest`).
@NullMarked
package dev.berth.controller;

import org.jspecify.annotations.NullMarked;
