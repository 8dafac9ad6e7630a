package dev.berth.kube.loop;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// What has been done for one key since it last came to rest. Who does the same again and again
/// runs in circles, also where other effects lie between, and also where each is a little different
/// from the last.
final class Deeds {
  /// How often one effect may succeed and still be wanted: somebody may have undone it once.
  private static final int SAME = 2;

  /// More effects of one likeness than anybody needs in a row for one key.
  private static final int ALIKE = 50;

  private final int same;
  private final int alike;
  private final Map<Effect, Integer> effects = new HashMap<>();
  private final Map<Object, Integer> likenesses = new HashMap<>();

  /// @param suspicious whether the key has run in circles before, so that less is enough
  Deeds(boolean suspicious) {
    same = suspicious ? 1 : SAME;
    alike = suspicious ? ALIKE / 10 : ALIKE;
  }

  void done(Effect effect) {
    effects.merge(effect, 1, Integer::sum);
    likenesses.merge(effect.likeness(), 1, Integer::sum);
  }

  /// Why it would be a circle to do this, too; empty: it would not.
  Optional<String> circle(Effect wanted) {
    var kind = wanted.getClass();
    int repeated = effects.getOrDefault(wanted, 0);
    int similar = likenesses.getOrDefault(wanted.likeness(), 0);
    if (repeated >= same)
      return Optional.of(
          "%s has succeeded %d times and is wanted again: it is undone each time"
              .formatted(kind.getSimpleName(), repeated));
    if (similar >= alike)
      return Optional.of(
          "does not come to rest: %d effects of the kind %s, and one more is wanted"
              .formatted(similar, kind.getSimpleName()));
    return Optional.empty();
  }
}
