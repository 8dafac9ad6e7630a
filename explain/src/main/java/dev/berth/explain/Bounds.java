package dev.berth.explain;

import static java.util.Map.entry;

import dev.berth.explain.answer.Link;
import dev.berth.explain.answer.Link.Waits;
import dev.berth.kube.loop.Outlook;
import dev.berth.kube.loop.Wait;
import dev.berth.kube.object.Resources;
import java.time.Duration;
import java.util.Map;

/// How long states last at most where all is well, as far as the decisions that come to them do not
/// say so themselves: until then nobody need act, and later it may still end by itself (XPL-30).
final class Bounds {
  private static final Map<String, Duration> USUAL =
      Map.ofEntries(
          entry("P04", Duration.ofSeconds(5)),
          entry("P07", Duration.ofSeconds(15)),
          entry("P20", Duration.ofMinutes(10)),
          entry("C12f", Duration.ofMinutes(5)),
          entry("R01", Duration.ofSeconds(30)),
          entry("R14", Duration.ofMinutes(1)));

  private Bounds() {}

  /// The link with the bound of its state. Whoever is known not to be at work ends nothing, however
  /// long one waits.
  static Link of(Link link, String state) {
    var usual = USUAL.get(state);
    return usual != null
            && link instanceof Waits(var subject, var component, var wait)
            && !(wait.outlook() instanceof Outlook.Endangers)
            && !wait.on().resource().equals(Resources.LEASES)
        ? new Waits(subject, component, bounded(wait, usual))
        : link;
  }

  private static Wait bounded(Wait wait, Duration usual) {
    return wait.ifLate(usual, wait.remedy().orElse("look at who is to do it, and at its log"));
  }
}
