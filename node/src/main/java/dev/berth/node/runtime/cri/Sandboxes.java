package dev.berth.node.runtime.cri;

import dev.berth.node.runtime.ContainerSpec;
import dev.berth.node.runtime.RefusedException;
import dev.berth.node.runtime.RefusedException.Reason;
import dev.berth.node.runtime.cri.v1.ContainerFilter;
import dev.berth.node.runtime.cri.v1.ListContainersRequest;
import dev.berth.node.runtime.cri.v1.ListPodSandboxRequest;
import dev.berth.node.runtime.cri.v1.NamespaceMode;
import dev.berth.node.runtime.cri.v1.PodSandbox;
import dev.berth.node.runtime.cri.v1.PodSandboxConfig;
import dev.berth.node.runtime.cri.v1.PodSandboxFilter;
import dev.berth.node.runtime.cri.v1.PodSandboxState;
import dev.berth.node.runtime.cri.v1.PodSandboxStatusRequest;
import dev.berth.node.runtime.cri.v1.RemovePodSandboxRequest;
import dev.berth.node.runtime.cri.v1.RunPodSandboxRequest;
import dev.berth.node.runtime.cri.v1.StopPodSandboxRequest;
import java.io.IOException;
import java.net.InetAddress;
import java.net.NoRouteToHostException;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// The sandboxes of pods. A pod has one that is ready, or none; one that has gone down is replaced
/// when the pod's next container starts, and removed once no container is left in it.
final class Sandboxes {
  /// An engine that makes the pod a network asks plugins to.
  private static final Duration STARTING = Duration.ofMinutes(4);

  private final CriConnection engine;
  private final Owner owner;

  Sandboxes(CriConnection engine, Owner owner) {
    this.engine = engine;
    this.owner = owner;
  }

  /// A sandbox that is ready, and the configuration that it was made from, which containers are
  /// made with as well.
  record Ready(String id, PodSandboxConfig config) {}

  /// The pod's sandbox; made if there is none.
  ///
  /// @throws RefusedException if it cannot be made
  Ready ready(ContainerSpec spec) throws RefusedException {
    var present = of(spec.id().podUid());
    for (var sandbox : present)
      if (sandbox.getState() == PodSandboxState.SANDBOX_READY)
        return new Ready(
            sandbox.getId(),
            SandboxConfigs.of(spec, owner.sandboxLabels(spec), sandbox.getMetadata().getAttempt()));
    // A number that is taken would be refused, by one that is only half made, too.
    int attempt = present.isEmpty() ? 0 : present.getFirst().getMetadata().getAttempt() + 1;
    var config = SandboxConfigs.of(spec, owner.sandboxLabels(spec), attempt);
    try {
      var made =
          engine.runtime(
              "make the pod's sandbox",
              STARTING,
              stub ->
                  stub.runPodSandbox(
                      RunPodSandboxRequest.newBuilder()
                          .setConfig(config)
                          .setRuntimeHandler(spec.engine().sandbox().handler())
                          .build()));
      present.forEach(this::removeEmpty);
      return new Ready(made.getPodSandboxId(), config);
    } catch (CriException refused) {
      throw new RefusedException(
          Reason.CREATE_POD_SANDBOX_ERROR, String.valueOf(refused.getMessage()), refused);
    }
  }

  /// Uids of the pods that have one.
  Set<String> pods() {
    return list(PodSandboxFilter.getDefaultInstance()).stream()
        .map(sandbox -> owner.pod(sandbox).orElseThrow())
        .collect(Collectors.toSet());
  }

  /// Where the pod's programs listen: on the machine's loopback, unless the pod has a network of
  /// its own.
  ///
  /// @throws IOException nothing of the pod is there, or nobody knows where
  InetAddress address(String podUid) throws IOException {
    var present = of(podUid);
    if (present.isEmpty())
      throw new NoRouteToHostException("the pod has no sandbox on this node yet, or no more");
    var status =
        engine
            .runtime(
                "look at sandbox " + present.getFirst().getId(),
                stub ->
                    stub.podSandboxStatus(
                        PodSandboxStatusRequest.newBuilder()
                            .setPodSandboxId(present.getFirst().getId())
                            .build()))
            .getStatus();
    if (status.getLinux().getNamespaces().getOptions().getNetwork() == NamespaceMode.NODE)
      return InetAddress.getLoopbackAddress();
    var own = status.getNetwork().getIp();
    if (own.isEmpty())
      throw new NoRouteToHostException(
          "the pod has a network of its own, and the container engine tells no address in it");
    return InetAddress.ofLiteral(own);
  }

  /// The pod's sandbox that is ready.
  Optional<String> find(String podUid) {
    return of(podUid).stream()
        .filter(sandbox -> sandbox.getState() == PodSandboxState.SANDBOX_READY)
        .map(PodSandbox::getId)
        .findFirst();
  }

  /// Ends all that the pod has, and all that runs in them.
  void stop(String podUid) {
    for (var sandbox : of(podUid))
      if (sandbox.getState() == PodSandboxState.SANDBOX_READY) stop(sandbox);
  }

  private void stop(PodSandbox sandbox) {
    engine.runtime(
        "stop sandbox " + sandbox.getId(),
        stub ->
            stub.stopPodSandbox(
                StopPodSandboxRequest.newBuilder().setPodSandboxId(sandbox.getId()).build()));
  }

  /// Removes all that the pod has, with the containers in them.
  void remove(String podUid) {
    of(podUid).forEach(this::remove);
  }

  private void remove(PodSandbox sandbox) {
    try {
      stop(sandbox);
      engine.runtime(
          "remove sandbox " + sandbox.getId(),
          stub ->
              stub.removePodSandbox(
                  RemovePodSandboxRequest.newBuilder().setPodSandboxId(sandbox.getId()).build()));
    } catch (CriException gone) {
      if (!gone.notFound()) throw gone;
    }
  }

  /// Of a pod that has a newer one. What does not go now goes with the pod.
  private void removeEmpty(PodSandbox sandbox) {
    var left =
        engine.runtime(
            "list the containers of sandbox " + sandbox.getId(),
            stub ->
                stub.listContainers(
                    ListContainersRequest.newBuilder()
                        .setFilter(ContainerFilter.newBuilder().setPodSandboxId(sandbox.getId()))
                        .build()));
    if (left.getContainersCount() == 0) remove(sandbox);
  }

  /// The latest first.
  private List<PodSandbox> of(String podUid) {
    return list(PodSandboxFilter.newBuilder().putLabelSelector(Owner.POD_UID, podUid).build())
        .stream()
        .filter(sandbox -> owner.pod(sandbox).orElseThrow().equals(podUid))
        .sorted(
            Comparator.comparingInt((PodSandbox it) -> it.getMetadata().getAttempt()).reversed())
        .toList();
  }

  private List<PodSandbox> list(PodSandboxFilter filter) {
    return engine
        .runtime(
            "list sandboxes",
            stub ->
                stub.listPodSandbox(ListPodSandboxRequest.newBuilder().setFilter(filter).build()))
        .getItemsList()
        .stream()
        .filter(sandbox -> owner.pod(sandbox).isPresent())
        .toList();
  }
}
