package dev.berth.sidecar.testing;

import dev.berth.kube.event.Notice;
import dev.berth.kube.loop.Act;
import dev.berth.kube.loop.Effect;
import dev.berth.kube.loop.Settled;
import dev.berth.kube.loop.Step;
import dev.berth.kube.loop.Wait;
import java.util.Optional;
import java.util.function.Consumer;
import org.assertj.core.api.Assertions;

/// One line of a decision's table: given this world, that step.
///
/// @param id of the rule in the specification
public record Rule(String id, String sentence, World world, Consumer<Step> expected) {
  public static Start rule(String id, String sentence) {
    return new Start(id, sentence);
  }

  public record Start(String id, String sentence) {
    public Given given(World world) {
      return new Given(id, sentence, world);
    }
  }

  public record Given(String id, String sentence, World world) {
    public Rule then(Consumer<Step> expected) {
      return new Rule(id, sentence, world, expected);
    }

    public Rule then(Step expected) {
      return then(step -> Assertions.assertThat(withoutWords(step)).isEqualTo(expected));
    }

    /// What an act says of the wait after it is the row's that is given that wait.
    private static Step withoutWords(Step step) {
      return step instanceof Act(var effect, _) ? new Act(effect) : step;
    }
  }

  public static Consumer<Step> settled() {
    return step -> Assertions.assertThat(step).isEqualTo(new Settled());
  }

  public static Step act(Effect effect) {
    return new Act(effect);
  }

  /// Waits on this field of this object, and says to people what they can do.
  ///
  /// @param on as people type it: `persistentvolume/pv-1`
  public static Consumer<Step> waits(String on, String field) {
    return step -> {
      Assertions.assertThat(step).isInstanceOf(Wait.class);
      var wait = (Wait) step;
      Assertions.assertThat(wait.on() + " " + wait.field()).isEqualTo(on + " " + field);
      Assertions.assertThat(wait.since()).isPresent();
      Assertions.assertThat(wait.remedy()).isPresent();
    };
  }

  /// Waits like [#waits], and tells an event whose text contains `text`.
  public static Consumer<Step> complains(String on, String field, String text) {
    return step -> {
      waits(on, field).accept(step);
      Assertions.assertThat(((Wait) step).notice().map(Notice::message).orElse("nothing"))
          .contains(text);
    };
  }

  /// The effect in a step that acts.
  public static <T extends Effect> Optional<T> effect(Step step, Class<T> type) {
    return step instanceof Act(var effect, _) && type.isInstance(effect)
        ? Optional.of(type.cast(effect))
        : Optional.empty();
  }

  @Override
  public String toString() {
    return id + ": " + sentence;
  }
}
