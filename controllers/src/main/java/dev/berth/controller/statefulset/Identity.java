package dev.berth.controller.statefulset;

import dev.berth.controller.workload.Workload;
import dev.berth.kube.model.Pod;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.value.Json;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/// What a set's pods and claims are called: `web-0`, `data-web-0` (STS-01).
///
/// @param first `spec.ordinals.start`
/// @param replicas how many pods there are to be, from the first on
record Identity(Workload set, int first, int replicas) {
  private static final Pattern NUMBERED = Pattern.compile("(.+)-(0|[1-9][0-9]{0,8})");

  static Identity of(Workload set) {
    return new Identity(set, set.spec().path("ordinals").path("start").asInt(), set.replicas());
  }

  /// What the names of a set's claims begin with, each with its namespace.
  static List<String> claimStems(Workload set) {
    return Json.list(
        set.spec().path("volumeClaimTemplates"),
        template ->
            "%s/%s-%s"
                .formatted(
                    set.meta().namespace(),
                    Json.text(template.path("metadata"), "name"),
                    set.meta().name()));
  }

  /// What the name of a claim that may be a set's begins with.
  static Optional<String> stem(ObjectKey claim) {
    var name = NUMBERED.matcher(claim.name());
    return name.matches() ? Optional.of(claim.namespace() + "/" + name.group(1)) : Optional.empty();
  }

  /// The ordinals that there are to be, in their order.
  IntStream ordinals() {
    return IntStream.range(first, first + replicas);
  }

  boolean isWanted(int ordinal) {
    return ordinal >= first && ordinal < first + replicas;
  }

  /// Which of the set's pods it is; empty: its name says that it is none.
  OptionalInt ordinal(Pod pod) {
    var name = NUMBERED.matcher(pod.meta().name());
    return name.matches() && name.group(1).equals(set.meta().name())
        ? OptionalInt.of(Integer.parseInt(name.group(2)))
        : OptionalInt.empty();
  }

  ObjectKey pod(int ordinal) {
    return ObjectKey.of(set.meta().namespace(), set.meta().name() + "-" + ordinal);
  }

  /// @param template name of the claim's template
  ObjectKey claim(String template, int ordinal) {
    return ObjectKey.of(
        set.meta().namespace(), "%s-%s-%d".formatted(template, set.meta().name(), ordinal));
  }
}
