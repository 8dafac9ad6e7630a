package dev.berth.apiserver.core;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.apiserver.core.message.Answer;
import dev.berth.apiserver.core.message.Refusal;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/// One row of a table: a world, a request, what it answers.
final class CoreRule {
  private final String name;
  private UnaryOperator<World> given = world -> world;
  private Function<World, Answer> when = _ -> new Answer.Done(Refusal.success(200));
  private Consumer<Answer> then = _ -> {};

  private CoreRule(String name) {
    this.name = name;
  }

  static CoreRule rule(String id, String sentence) {
    return new CoreRule(id + ": " + sentence);
  }

  CoreRule given(UnaryOperator<World> given) {
    this.given = given;
    return this;
  }

  CoreRule when(Function<World, Answer> when) {
    this.when = when;
    return this;
  }

  /// The object in the answer has all that `yaml` has; `null` stands for what it must not have.
  CoreRule shows(String yaml) {
    then = answer -> assertShows(object(answer), World.tree(yaml), "");
    return this;
  }

  CoreRule refused(int code, String reason, String message) {
    then =
        answer -> {
          assertThat(answer).isInstanceOf(Answer.Refused.class);
          var refusal = ((Answer.Refused) answer).refusal();
          assertThat(refusal.message()).isEqualTo(message);
          assertThat(refusal.reason()).isEqualTo(reason);
          assertThat(refusal.code()).isEqualTo(code);
        };
    return this;
  }

  /// Refused as invalid, with all of the errors in the message.
  CoreRule invalid(String... errors) {
    then =
        answer -> {
          assertThat(answer).isInstanceOf(Answer.Refused.class);
          var refusal = ((Answer.Refused) answer).refusal();
          assertThat(refusal.message()).contains(errors);
          assertThat(refusal.details().causes()).hasSize(errors.length);
          assertThat(refusal.code()).isEqualTo(422);
        };
    return this;
  }

  CoreRule then(Consumer<Answer> then) {
    this.then = then;
    return this;
  }

  void check() {
    then.accept(when.apply(given.apply(new World())));
  }

  static String refusal(Answer answer) {
    return ((Answer.Refused) answer).refusal().message();
  }

  static JsonNode object(Answer answer) {
    return switch (answer) {
      case Answer.Single(var stored) -> stored.object();
      case Answer.Created(var stored) -> stored.object();
      case Answer.Gone(var last) -> last.object();
      case Answer.GoneQuietly(_, var status) -> status;
      case Answer.Done(var status) -> status;
      case Answer.Unready _, Answer.Overtaken _ ->
          throw new AssertionError("no client is told: " + answer);
      case Answer.Page page -> throw new AssertionError("a list: " + page);
      case Answer.Refused(var refusal) -> throw new AssertionError("refused: " + refusal);
    };
  }

  private static void assertShows(JsonNode actual, JsonNode wanted, String path) {
    if (wanted.isNull()) assertThat(actual.isMissingNode()).as(path + " is absent").isTrue();
    else if (wanted.isObject())
      wanted
          .properties()
          .forEach(field ->
              assertShows(
                  actual.path(field.getKey()), field.getValue(), path + "." + field.getKey()));
    else assertThat(actual.toString()).as(path).isEqualTo(wanted.toString());
  }

  @Override
  public String toString() {
    return name;
  }
}
