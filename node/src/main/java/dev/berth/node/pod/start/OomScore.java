package dev.berth.node.pod.start;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.kube.model.Pod;
import dev.berth.kube.value.Json;
import dev.berth.kube.value.Quantity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// Which containers the kernel kills first when the machine runs out of memory: as kubelets have
/// it, those of pods that ask for nothing, then whoever asked for little, last those that are
/// limited to what they asked for.
final class OomScore {
  private static final int GUARANTEED = -997;
  private static final int BEST_EFFORT = 1000;
  private static final int LEAST = 3;
  private static final int CRITICAL_PRIORITY = 2_000_000_000;
  private static final long MEMORY = memory();

  private OomScore() {}

  static int of(Pod pod, JsonNode resources) {
    if (pod.spec().path("priority").asInt() >= CRITICAL_PRIORITY) return GUARANTEED;
    var all = ContainerTemplate.of(pod).map(it -> it.spec().path("resources")).toList();
    if (all.stream().noneMatch(OomScore::asks)) return BEST_EFFORT;
    if (all.stream().allMatch(OomScore::guaranteed)) return GUARANTEED;
    var wanted = amount(resources, "memory").map(Quantity::toLong).orElse(0L);
    long score = BEST_EFFORT - BEST_EFFORT * Math.min(wanted, MEMORY) / MEMORY;
    return (int) Math.clamp(score, LEAST, BEST_EFFORT - 1);
  }

  private static boolean asks(JsonNode resources) {
    return List.of("requests", "limits").stream()
        .anyMatch(field -> resources.path(field).has("cpu") || resources.path(field).has("memory"));
  }

  private static boolean guaranteed(JsonNode resources) {
    return List.of("cpu", "memory").stream()
        .allMatch(name -> {
          var limit = Json.quantity(resources.path("limits"), name);
          return limit.isPresent() && limit.equals(amount(resources, name));
        });
  }

  /// What is limited and not requested is requested.
  private static Optional<Quantity> amount(JsonNode resources, String name) {
    return Json.quantity(resources.path("requests"), name)
        .or(() -> Json.quantity(resources.path("limits"), name));
  }

  private static long memory() {
    try (var lines = Files.lines(Path.of("/proc/meminfo"))) {
      return lines
          .filter(line -> line.startsWith("MemTotal:"))
          .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) << 10)
          .findFirst()
          .orElse(1L << 40);
    } catch (IOException unreadable) {
      return 1L << 40;
    }
  }
}
