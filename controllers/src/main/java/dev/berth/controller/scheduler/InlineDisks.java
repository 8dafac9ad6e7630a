package dev.berth.controller.scheduler;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.kube.loop.Wait;
import dev.berth.kube.model.Commands;
import dev.berth.kube.model.Pod;
import dev.berth.kube.model.PodVolume.Source;
import dev.berth.kube.value.Json;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.function.BiPredicate;
import java.util.stream.Stream;

/// Disks that a pod names itself and that one pod of a node at a time may have (SCHED-34).
final class InlineDisks {
  private InlineDisks() {}

  static Optional<Refusal> refusal(Wanted wanted, Host host) {
    var mine = disks(wanted.pod()).toList();
    if (mine.isEmpty()) return Optional.empty();
    return wanted.view().podsOn(host.name()).stream()
        .filter(pod -> disks(pod).anyMatch(other -> mine.stream().anyMatch(it -> clash(it, other))))
        .findFirst()
        .map(InlineDisks::inUse);
  }

  private static Stream<Source.Local> disks(Pod pod) {
    return pod.volumes().stream()
        .flatMap(
            volume -> volume.source() instanceof Source.Local it ? Stream.of(it) : Stream.empty())
        .filter(it -> RULES.stream().anyMatch(rule -> rule.type.equals(it.type())));
  }

  /// @param same whether two are one disk
  /// @param shared whether several may read it at the same time
  private record Rule(String type, boolean shared, BiPredicate<JsonNode, JsonNode> same) {}

  private static final List<Rule> RULES =
      List.of(
          new Rule("gcePersistentDisk", true, by("pdName")),
          new Rule("awsElasticBlockStore", false, by("volumeID")),
          new Rule("iscsi", true, by("iqn")),
          new Rule("rbd", true, by("pool").and(by("image")).and(InlineDisks::shareMonitor)));

  private static BiPredicate<JsonNode, JsonNode> by(String field) {
    return (one, other) -> Json.text(one, field).equals(Json.text(other, field));
  }

  private static boolean shareMonitor(JsonNode one, JsonNode other) {
    var monitors = new HashSet<>(Json.list(one.path("monitors"), JsonNode::asText));
    return Json.list(other.path("monitors"), JsonNode::asText).stream()
        .anyMatch(monitors::contains);
  }

  private static boolean clash(Source.Local one, Source.Local other) {
    return RULES.stream()
        .filter(rule -> rule.type.equals(one.type()) && rule.type.equals(other.type()))
        .anyMatch(rule ->
            rule.same.test(one.spec(), other.spec())
                && !(rule.shared && readOnly(one) && readOnly(other)));
  }

  private static boolean readOnly(Source.Local disk) {
    return disk.spec().path("readOnly").asBoolean();
  }

  private static Refusal inUse(Pod user) {
    return new Refusal(
        DISK_IN_USE,
        Wait.on(user.ref()),
        user.ref() + ", which has the same disk, has ended",
        Commands.delete(user.ref()));
  }

  static final String DISK_IN_USE = "node(s) had no available disk";
}
