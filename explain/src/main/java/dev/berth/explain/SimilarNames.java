package dev.berth.explain;

import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.loop.Wait;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.object.Kind;
import dev.berth.kube.object.KubeObject;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Ref;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

/// What somebody may have meant who named an object that is not there (P03, C02).
final class SimilarNames {
  /// People name these by hand.
  private static final List<Kind<?>> NAMED = List.of(Kinds.CLAIM, Kinds.STORAGE_CLASS);

  private static final int MOST = 3;

  private SimilarNames() {}

  /// The wait, with what there is in the place of what it names.
  static Wait added(Wait wait, Snapshot objects) {
    if (wait.remedy().isEmpty() || !wait.field().isEmpty()) return wait;
    return NAMED.stream()
        .filter(kind -> kind.resource().equals(wait.on().resource()))
        .filter(kind -> objects.get(kind, wait.on().key()).found().isEmpty())
        .map(kind -> similar(wait.on(), objects.all(kind)))
        .filter(names -> !names.isEmpty())
        .findFirst()
        .map(names -> wait.remedy(remedy(wait, names)))
        .orElse(wait);
  }

  /// Who mistyped a class does not want one of that name.
  private static String remedy(Wait wait, String names) {
    return wait.on().resource().equals(Kinds.STORAGE_CLASS.resource())
        ? "there is %s: create the claim again with the class that was meant, since it cannot be changed; or create %s"
            .formatted(names, wait.on())
        : "%s (there is %s)".formatted(wait.remedy().orElseThrow(), names);
  }

  private static String similar(Ref absent, Collection<? extends KubeObject> objects) {
    var name = absent.key().name();
    return objects.stream()
        .map(object -> object.meta().key())
        .filter(key -> isNear(key, absent.key()))
        .sorted(
            Comparator.comparing((ObjectKey key) -> distance(key.name(), name))
                .thenComparing(ObjectKey::toString))
        .limit(MOST)
        .map(key -> key.namespace().equals(absent.key().namespace()) ? key.name() : key.toString())
        .collect(Collectors.joining(", "));
  }

  /// Its name elsewhere, or one of a slip of the pen in its own place.
  private static boolean isNear(ObjectKey key, ObjectKey absent) {
    return key.name().equals(absent.name())
        || (key.namespace().equals(absent.namespace())
            && distance(key.name(), absent.name()) <= Math.max(2, absent.name().length() / 3));
  }

  /// How many letters have to come, go or change.
  private static int distance(String one, String other) {
    var row = new int[other.length() + 1];
    for (int j = 0; j <= other.length(); j++) row[j] = j;
    for (int i = 1; i <= one.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= other.length(); j++) {
        int above = row[j];
        int change = one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1;
        row[j] = Math.min(Math.min(above, row[j - 1]) + 1, diagonal + change);
        diagonal = above;
      }
    }
    return row[other.length()];
  }
}
