package dev.berth.checks;

import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.fact.Facts;
import dev.berth.kube.fact.Trigger;
import dev.berth.kube.loop.Decider;
import dev.berth.kube.loop.NoEffect;
import dev.berth.kube.loop.Settled;
import dev.berth.kube.loop.Step;
import dev.berth.kube.object.Ref;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A decider that does all that none may, each behind a call or two.
final class Impure implements Decider<String, Instant, NoEffect> {
  @Override
  public String name() {
    return "impure";
  }

  @Override
  public List<Trigger<?, String>> triggers() {
    return List.of();
  }

  @Override
  public Instant view(Facts facts, Instant now) {
    return Rules.later();
  }

  @Override
  public Step decide(Instant view, String key) {
    Stream.of(key).forEach(Rules::note);
    new Rules().count();
    return new Settled();
  }

  @Override
  public Class<NoEffect> effectType() {
    return NoEffect.class;
  }

  @Override
  public Stream<String> about(Ref subject, Snapshot objects) {
    return Stream.empty();
  }

  private static final class Rules {
    private static final Logger log = LoggerFactory.getLogger(Impure.class);
    private int counted;

    static Instant later() {
      return Instant.now();
    }

    static void note(String key) {
      log.info("{}", key);
    }

    synchronized void count() {
      counted++;
    }
  }
}
