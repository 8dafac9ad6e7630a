package dev.berth.node.runtime.cri;

import dev.berth.node.runtime.ContainerId;
import dev.berth.node.runtime.ContainerState;
import dev.berth.node.runtime.cri.v1.Container;
import dev.berth.node.runtime.cri.v1.ContainerFilter;
import dev.berth.node.runtime.cri.v1.ContainerStatus;
import dev.berth.node.runtime.cri.v1.ContainerStatusRequest;
import dev.berth.node.runtime.cri.v1.ContainerStatusResponse;
import dev.berth.node.runtime.cri.v1.ListContainersRequest;
import dev.berth.node.runtime.cri.v1.RemoveContainerRequest;
import dev.berth.node.runtime.cri.v1.StopContainerRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// What an engine knows of our containers.
final class Containers {
  private final CriConnection engine;
  private final Owner owner;

  Containers(CriConnection engine, Owner owner) {
    this.engine = engine;
    this.owner = owner;
  }

  /// One of ours.
  ///
  /// @param key what the engine calls it
  record Entry(ContainerId id, String key, String sandbox) {}

  /// All of ours, whatever has become of them.
  List<Entry> all() {
    return list(ContainerFilter.getDefaultInstance());
  }

  /// That run, if the engine has it; the latest, should it have several of that number.
  Optional<Entry> find(ContainerId id) {
    return list(
            ContainerFilter.newBuilder()
                .putLabelSelector(Owner.POD_UID, id.podUid())
                .putLabelSelector(Owner.CONTAINER_NAME, id.name())
                .build())
        .stream()
        .filter(entry -> entry.id().equals(id))
        .findFirst();
  }

  private List<Entry> list(ContainerFilter filter) {
    return engine
        .runtime(
            "list containers",
            stub ->
                stub.listContainers(ListContainersRequest.newBuilder().setFilter(filter).build()))
        .getContainersList()
        .stream()
        .sorted(Comparator.comparingLong(Container::getCreatedAt).reversed())
        .flatMap(container ->
            owner
                .id(container)
                .map(id -> new Entry(id, container.getId(), container.getPodSandboxId()))
                .stream())
        .toList();
  }

  /// What the engine says of it; empty: it has none.
  Optional<ContainerStatusResponse> status(String key, boolean verbose) {
    try {
      return Optional.of(
          engine.runtime(
              "look at container " + key,
              stub ->
                  stub.containerStatus(
                      ContainerStatusRequest.newBuilder()
                          .setContainerId(key)
                          .setVerbose(verbose)
                          .build())));
    } catch (CriException refused) {
      if (refused.notFound()) return Optional.empty();
      throw refused;
    }
  }

  /// As [#state], of one of ours, with the image that the engine says it runs from.
  Optional<dev.berth.node.runtime.Container> shown(ContainerId id, String key) {
    return status(key, false)
        .map(ContainerStatusResponse::getStatus)
        .flatMap(status ->
            state(status)
                .map(state ->
                    new dev.berth.node.runtime.Container(id, state, status.getImageRef())));
  }

  /// What has become of it; empty: it has never run, and never will.
  Optional<ContainerState> state(String key) {
    return status(key, false).flatMap(answer -> state(answer.getStatus()));
  }

  private static Optional<ContainerState> state(ContainerStatus status) {
    var started = time(status.getStartedAt());
    return switch (status.getState()) {
      case CONTAINER_CREATED, UNRECOGNIZED -> Optional.empty();
      // Nobody knows whether it runs: who wants to be rid of it kills it first.
      case CONTAINER_RUNNING, CONTAINER_UNKNOWN -> Optional.of(new ContainerState.Running(started));
      case CONTAINER_EXITED -> {
        if (status.getStartedAt() <= 0) yield Optional.empty(); // its program could not be started
        var finished = time(status.getFinishedAt());
        yield Optional.of(
            status.getReason().equals("Unknown")
                ? new ContainerState.Lost(started, finished, lost(status))
                : new ContainerState.Exited(started, finished, status.getExitCode()));
      }
    };
  }

  private static String lost(ContainerStatus status) {
    return status.getMessage().isEmpty()
        ? "the container engine did not see how the container ended"
        : status.getMessage();
  }

  /// Engines count nanoseconds.
  private static Instant time(long nanoseconds) {
    return Instant.EPOCH.plusNanos(Math.max(0, nanoseconds));
  }

  /// Has it asked to end, and killed after `grace`. Returns when it has ended.
  void stop(String key, Duration grace, Duration patience) {
    try {
      engine.runtime(
          "stop container " + key,
          grace.plus(patience),
          stub ->
              stub.stopContainer(
                  StopContainerRequest.newBuilder()
                      .setContainerId(key)
                      .setTimeout(grace.toSeconds())
                      .build()));
    } catch (CriException refused) {
      if (!refused.notFound()) throw refused;
    }
  }

  /// Forgets one that does not run.
  void remove(String key) {
    try {
      engine.runtime(
          "remove container " + key,
          stub ->
              stub.removeContainer(
                  RemoveContainerRequest.newBuilder().setContainerId(key).build()));
    } catch (CriException refused) {
      if (!refused.notFound()) throw refused;
    }
  }
}
