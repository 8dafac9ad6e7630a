package dev.berth.node.pod;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.kube.model.Pod;
import dev.berth.node.pod.local.Run;
import dev.berth.node.pod.local.Trouble;
import dev.berth.node.pod.start.Limits;
import dev.berth.node.runtime.ContainerState;
import java.util.List;
import java.util.Optional;

/// What a pod's status should say of its containers.
///
/// @param initialized whether all init containers have done their work
record ContainerStatuses(PodView view, Pod pod, boolean initialized) {
  private static final int LOST = 137;

  ArrayNode of(List<History> histories) {
    var list = JsonNodeFactory.instance.arrayNode();
    histories.forEach(history -> list.add(of(history)));
    return list;
  }

  private ObjectNode of(History history) {
    var status =
        JsonNodeFactory.instance
            .objectNode()
            .put("name", history.container().name())
            .put("image", history.container().image())
            .put("imageID", history.latest().map(Run::image).orElse(""))
            .put("restartCount", history.restarts())
            .put("started", Health.of(view, pod, history).started())
            .put("ready", ready(history));
    var shown = shown(history);
    status.set("state", shown.map(ContainerStatuses::state).orElseGet(() -> waiting(history)));
    status.set("lastState", lastState(history, shown));
    history.latest().ifPresent(run -> status.put("containerID", run.id().url()));
    return status;
  }

  private boolean ready(History history) {
    var container = history.container();
    return container.init() && !container.sidecar()
        ? history.done() && history.succeeded()
        : Health.of(view, pod, history).ready();
  }

  /// The run that the container's state is about; empty: it waits for its next one.
  private Optional<Run> shown(History history) {
    boolean over = history.done() || pod.meta().deleting() || pod.finished();
    return history.latest().filter(run -> run.runs() || over);
  }

  private static ObjectNode lastState(History history, Optional<Run> shown) {
    var last = shown.isPresent() ? history.previous() : history.latest();
    return last.map(ContainerStatuses::state).orElseGet(JsonNodeFactory.instance::objectNode);
  }

  private static ObjectNode state(Run run) {
    var state = JsonNodeFactory.instance.objectNode();
    switch (run.state()) {
      case ContainerState.Running(var started) ->
          state.putObject("running").put("startedAt", PodStatus.text(started));
      case ContainerState.Exited(var started, var finished, int exitCode) -> {
        var terminated =
            state
                .putObject("terminated")
                .put("exitCode", exitCode)
                .put("reason", exitCode == 0 ? "Completed" : "Error")
                .put("startedAt", PodStatus.text(started))
                .put("finishedAt", PodStatus.text(finished))
                .put("containerID", run.id().url());
        if (!run.message().isEmpty()) terminated.put("message", run.message());
      }
      case ContainerState.Lost(var started, var missed, var why) ->
          state
              .putObject("terminated")
              .put("exitCode", LOST)
              .put("reason", "ContainerStatusUnknown")
              .put("message", why)
              .put("startedAt", PodStatus.text(started))
              .put("finishedAt", PodStatus.text(missed))
              .put("containerID", run.id().url());
    }
    return state;
  }

  private ObjectNode waiting(History history) {
    var why = why(history);
    var state = JsonNodeFactory.instance.objectNode();
    var waiting = state.putObject("waiting").put("reason", why.reason());
    if (!why.message().isEmpty()) waiting.put("message", why.message());
    return state;
  }

  private Trouble why(History history) {
    var container = history.container();
    var trouble = view.local().trouble(pod.meta().uid(), container.name());
    if (trouble.isPresent()) return trouble.get();
    var refusal = Limits.refusal(pod);
    if (refusal.isPresent()) return new Trouble("CreateContainerConfigError", refusal.get());
    if (history.latest().isPresent())
      return new Trouble(
          "CrashLoopBackOff",
          "back-off %ds restarting failed container=%s pod=%s_%s(%s)"
              .formatted(
                  history.pause().toSeconds(),
                  container.name(),
                  pod.meta().name(),
                  pod.meta().namespace(),
                  pod.meta().uid()));
    boolean waitsForInit = pod.spec().path("initContainers").size() > 0 && !initialized;
    return new Trouble(waitsForInit ? "PodInitializing" : "ContainerCreating", "");
  }
}
