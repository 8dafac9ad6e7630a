package dev.berth.explain;

import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.loop.Act;
import dev.berth.kube.loop.Settled;
import dev.berth.kube.loop.Wait;
import dev.berth.kube.model.Ref;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Asks the components what they would do about an object, follows what they wait for, and so finds
/// what blocks (XPL-02).
public final class Explainer {
  private final List<Voice> voices;

  /// @param voices in the order of the life cycle: of two that wait for one object, the first is
  ///   told
  public Explainer(List<Voice> voices) {
    this.voices = List.copyOf(voices);
  }

  public Explanation explain(Ref subject, Snapshot objects, Instant now) {
    var chain = new ArrayList<Link>();
    Set<Object> told = new HashSet<>();
    var next = Optional.of(subject);
    while (next.isPresent() && told.add(identity(next.get()))) {
      var link = link(next.get(), objects, now);
      link.ifPresent(chain::add);
      next =
          link.flatMap(found ->
              found instanceof Link.Waits(_, _, var wait)
                  ? Optional.of(wait.on())
                  : Optional.empty());
    }
    return new Explanation(subject, chain);
  }

  /// A reference with and without the uid means the same object here.
  private static Object identity(Ref ref) {
    return List.of(ref.resource(), ref.key());
  }

  /// The first wait that a component has about the object; without one, the first act.
  private Optional<Link> link(Ref subject, Snapshot objects, Instant now) {
    Optional<Link> act = Optional.empty();
    for (var voice : voices) {
      for (var step : voice.steps(subject, objects, now).toList()) {
        switch (step) {
          case Wait wait -> {
            return Optional.of(new Link.Waits(subject, voice.component(), wait));
          }
          // Another scheduler may have written the same in other words.
          case Act(_, var then) when then.isPresent() -> {
            return Optional.of(new Link.Waits(subject, voice.component(), then.get()));
          }
          case Act(var effect, _) -> {
            if (act.isEmpty()) act = Optional.of(new Link.Acts(subject, voice.component(), effect));
          }
          case Settled _ -> {}
        }
      }
    }
    return act;
  }
}
