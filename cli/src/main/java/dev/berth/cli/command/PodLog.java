package dev.berth.cli.command;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.cli.Problem;
import dev.berth.cli.home.Home;
import dev.berth.kube.model.Json;
import dev.berth.node.pod.log.LogLayout;
import dev.berth.node.runtime.ContainerId;
import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/// What the containers of a pod have printed, read where the node agent keeps it.
final class PodLog {
  private PodLog() {}

  /// Tells each line; with several containers each line begins with its container's name.
  static void print(Home home, JsonNode pod, Consumer<String> teller) {
    var logs = new LogLayout(home.podLogs());
    var meta = pod.path("metadata");
    var statuses = new ArrayList<JsonNode>();
    for (var field : List.of("initContainerStatuses", "containerStatuses"))
      pod.path("status").path(field).forEach(statuses::add);
    for (var status : statuses) {
      var name = Json.text(status, "name");
      var run = new ContainerId(Json.text(meta, "uid"), name, status.path("restartCount").asInt());
      var file = logs.file(Json.text(meta, "namespace"), Json.text(meta, "name"), run);
      var prefix = statuses.size() > 1 ? "[" + name + "] " : "";
      try (var lines = Files.lines(file)) {
        lines.forEach(line -> teller.accept(prefix + line));
      } catch (NoSuchFileException neverRan) {
        // It printed nothing.
      } catch (MalformedInputException binary) {
        throw new Problem(file + " is not text; read it with another program");
      } catch (IOException unreadable) {
        throw new Problem("cannot read " + file + ": " + unreadable.getMessage());
      }
    }
  }
}
