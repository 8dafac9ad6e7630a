package dev.berth.controller;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.kube.event.Notice;
import dev.berth.kube.fact.Facts;
import dev.berth.kube.loop.Act;
import dev.berth.kube.loop.Concern;
import dev.berth.kube.loop.Decider;
import dev.berth.kube.loop.Effect;
import dev.berth.kube.loop.Settled;
import dev.berth.kube.loop.Step;
import dev.berth.kube.loop.Wait;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Consumer;

/// One row of a table: a sentence, a world that differs from the usual one in one thing, and what
/// is decided there.
public record Rule(String id, String sentence, World world, Consumer<Step> check) {
  /// When all decisions of the tables are made.
  public static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");

  public static Sentence rule(String id, String sentence) {
    return new Sentence(id, sentence);
  }

  /// What is decided for `key` in a world at [#NOW].
  public static <K, V> Step decide(Decider<K, V, ?> decider, World world, K key) {
    return decider.decide(decider.view(Facts.of(world.snapshot()), NOW), key);
  }

  /// What one of the list decides for `key` in a world at [#NOW].
  public static <K> Step decide(Concern<?, K, ?, ?> concern, World world, K key) {
    return decide(concern.decider(), world, key);
  }

  public static Step settled() {
    return new Settled();
  }

  public static Step act(Effect effect) {
    return new Act(effect);
  }

  @Override
  public String toString() {
    return id + ": " + sentence;
  }

  /// A rule without its world.
  public record Sentence(String id, String sentence) {
    public Given given(World world) {
      return new Given(this, world);
    }
  }

  /// A rule without what is decided.
  public record Given(Sentence about, World world) {
    public Rule then(Step step) {
      return check(actual -> assertThat(withoutWords(actual)).isEqualTo(step));
    }

    /// What an act says of the wait after it is the row's that is given that wait.
    private static Step withoutWords(Step step) {
      return step instanceof Act(var effect, _) ? new Act(effect) : step;
    }

    /// Waits for this field of this object, in these words, and tells nothing.
    public Rule thenWaits(String on, String field, String until) {
      return check(actual -> assertWait(actual, on, field, until, Optional.empty()));
    }

    /// Waits as told, and tells of it.
    public Rule thenWaits(String on, String field, String until, Notice notice) {
      return check(actual -> assertWait(actual, on, field, until, Optional.of(notice)));
    }

    private Rule check(Consumer<Step> check) {
      return new Rule(about.id, about.sentence, world, check);
    }
  }

  private static void assertWait(
      Step actual, String on, String field, String until, Optional<Notice> notice) {
    assertThat(actual).isInstanceOf(Wait.class);
    var wait = (Wait) actual;
    assertThat(wait.on()).hasToString(on);
    assertThat(wait.field()).isEqualTo(field);
    assertThat(wait.until()).isEqualTo(until);
    assertThat(wait.notice()).isEqualTo(notice);
  }
}
