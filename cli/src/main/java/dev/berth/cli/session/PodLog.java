package dev.berth.cli.session;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.apiserver.http.PodLogs;
import dev.berth.cli.Problem;
import dev.berth.kube.http.HttpApi;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.value.Json;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;

/// What the containers of a pod have printed.
public final class PodLog {
  private PodLog() {}

  /// Where a container's log comes from.
  @FunctionalInterface
  public interface Source {
    InputStream open(ObjectKey pod, String container) throws IOException;
  }

  /// A server's logs.
  public static Source of(HttpApi api, boolean follow, OptionalLong tailLines) {
    return (pod, container) -> api.log(pod, container, follow, tailLines);
  }

  /// The logs of a stack in this process.
  public static Source of(PodLogs logs) {
    var all =
        new PodLogs.Options(
            false, false, false, OptionalLong.empty(), OptionalLong.empty(), Optional.empty());
    return (pod, container) -> logs.open(pod, container, all);
  }

  /// The containers of a pod that have run, in the order in which they did.
  public static List<String> started(JsonNode pod) {
    var names = new ArrayList<String>();
    for (var field : List.of("initContainerStatuses", "containerStatuses"))
      for (var status : pod.path("status").path(field))
        if (!Json.text(status, "containerID").isEmpty()) names.add(Json.text(status, "name"));
    return names;
  }

  /// Tells each line of these containers; with several of them each line begins with its
  /// container's name.
  public static void print(
      Source source, ObjectKey pod, List<String> containers, Consumer<String> teller) {
    for (var container : containers) {
      var prefix = containers.size() > 1 ? "[" + container + "] " : "";
      try (var lines =
          new BufferedReader(
              new InputStreamReader(source.open(pod, container), StandardCharsets.UTF_8))) {
        for (var line = lines.readLine(); line != null; line = lines.readLine())
          teller.accept(prefix + line);
      } catch (IOException unreadable) {
        throw new Problem(
            "the log of container %s of pod/%s: %s"
                .formatted(container, pod.name(), unreadable.getMessage()));
      }
    }
  }
}
