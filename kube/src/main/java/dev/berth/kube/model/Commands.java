package dev.berth.kube.model;

import dev.berth.kube.object.Ref;
import java.util.Collection;
import java.util.Locale;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// Command lines for remedies, ready to be typed: namespaced objects always with their namespace,
/// since whoever reads the remedy may be at home in another.
public final class Commands {
  private Commands() {}

  /// That says why the object is where it is.
  public static String explain(Ref ref) {
    return "berth explain " + ref + in(ref);
  }

  public static String delete(Ref ref) {
    return kubectl("delete", ref, "");
  }

  /// @param pods of one namespace or several; at least one
  public static String deletePods(Collection<Pod> pods) {
    return pods.stream()
        .collect(
            Collectors.groupingBy(
                pod -> pod.meta().namespace(),
                TreeMap::new,
                Collectors.mapping(pod -> pod.meta().name(), Collectors.joining(" "))))
        .entrySet()
        .stream()
        .map(entry -> "kubectl delete pod %s -n %s".formatted(entry.getValue(), entry.getKey()))
        .collect(Collectors.joining("; "));
  }

  /// @param verb such as `annotate`
  /// @param rest what stands behind the name; empty: nothing
  public static String kubectl(String verb, Ref ref, String rest) {
    return "kubectl %s %s %s%s%s"
        .formatted(
            verb,
            ref.resource().kind().toLowerCase(Locale.ROOT),
            ref.key().name(),
            rest.isEmpty() ? "" : " " + rest,
            in(ref));
  }

  private static String in(Ref ref) {
    return ref.key().namespace().isEmpty() ? "" : " -n " + ref.key().namespace();
  }
}
