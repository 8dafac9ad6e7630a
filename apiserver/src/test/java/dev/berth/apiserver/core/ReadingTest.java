package dev.berth.apiserver.core;

import static dev.berth.kube.object.Resources.CONFIG_MAPS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.apiserver.core.message.Answer;
import dev.berth.apiserver.core.message.ListOptions;
import dev.berth.apiserver.core.message.Refusal;
import dev.berth.apiserver.core.message.Request;
import dev.berth.apiserver.core.read.Reading;
import dev.berth.apiserver.core.state.State;
import dev.berth.kube.object.ObjectKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Lists and gets (spec/apiserver.md, section 6).
class ReadingTest {
  private final World world = new World();

  private void create(String namespace, String... names) {
    for (var name : names)
      world.with(CONFIG_MAPS, "{metadata: {namespace: %s, name: %s}}".formatted(namespace, name));
  }

  @Test
  void aListIsInOrderAndKnowsItsMoment() {
    create("kube-system", "z");
    create("default", "b", "a");
    var page = page(list(ListOptions.ALL));
    assertThat(names(page)).containsExactly("a", "b", "z");
    assertThat(page.revision()).isEqualTo(world.state().revision());
    assertThat(page.continueToken()).isEmpty();
  }

  @Test
  void aListOfOneNamespaceShowsNoOther() { // API-54
    create("default", "a");
    create("kube-system", "b");
    create("kube-public", "c");
    assertThat(names(page(list("kube-system", ListOptions.ALL)))).containsExactly("b");
    assertThat(names(page(list("nowhere", ListOptions.ALL)))).isEmpty();
  }

  @Test
  void pagesShowOneMoment() { // API-52
    create("default", "a", "b", "c", "d", "e");
    var moment = world.state();
    var first = page(list(ListOptions.ALL.page(2, "")));
    assertThat(names(first)).containsExactly("a", "b");
    assertThat(first.remaining()).hasValue(3);
    create("default", "aa", "bb", "cc");
    var second = page(listThen(moment, ListOptions.ALL.page(2, first.continueToken())));
    assertThat(names(second)).containsExactly("c", "d");
    assertThat(second.revision()).isEqualTo(first.revision());
    var third = page(listThen(moment, ListOptions.ALL.page(2, second.continueToken())));
    assertThat(names(third)).containsExactly("e");
    assertThat(third.continueToken()).isEmpty();
    assertThat(third.remaining()).isEmpty();
  }

  @Test
  void aMomentThatIsForgottenCanBeLeft() {
    create("default", "a", "b", "c");
    var first = page(list(ListOptions.ALL.page(1, "")));
    create("default", "d");
    var refusal = refusal(list(ListOptions.ALL.page(1, first.continueToken())));
    assertThat(refusal.code()).isEqualTo(410);
    assertThat(refusal.reason()).isEqualTo("Expired");
    assertThat(refusal.toStatus().path("metadata").path("continue").asText()).isNotEmpty();
    var rest = page(list(ListOptions.ALL.page(9, refusal.continueToken())));
    assertThat(names(rest)).containsExactly("b", "c", "d");
    assertThat(rest.revision()).isEqualTo(world.state().revision());
  }

  @Test
  void aLimitCountsWhatMatches() {
    for (int i = 0; i < 6; i++)
      world.with(
          CONFIG_MAPS,
          "{metadata: {namespace: default, name: m%d, labels: {even: '%s'}}}"
              .formatted(i, i % 2 == 0));
    var page = page(list(ListOptions.ALL.selecting("even=true", "").page(2, "")));
    assertThat(names(page)).containsExactly("m0", "m2");
    assertThat(page.remaining()).isEmpty();
    assertThat(page.continueToken()).isNotEmpty();
  }

  @Test
  void theFutureIsRefusedSoThatClientsKnowIt() { // API-26, API-50
    var refusal = refusal(list(ListOptions.ALL.from("100")));
    assertThat(refusal.toStatus())
        .isEqualTo(
            World.yaml(
                """
                kind: Status
                apiVersion: v1
                metadata: {}
                status: Failure
                message: "Timeout: Too large resource version: 100, current: 10"
                reason: Timeout
                details:
                  causes:
                  - {reason: ResourceVersionTooLarge, message: Too large resource version}
                  retryAfterSeconds: 1
                code: 504
                """));
    var get = new Request.Get(CONFIG_MAPS, ObjectKey.of("default", "a"), "100");
    assertThat(refusal(world.ask(get)).code()).isEqualTo(504);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          1 | Exact        | 410 | too old resource version: 1 (10)
          0 | Exact        | 422 | resourceVersionMatch "exact" is forbidden for resourceVersion "0"
          '' | NotOlderThan | 422 | resourceVersionMatch is forbidden unless resourceVersion is provided
          10 | Newest       | 422 | Unsupported value: "Newest"
          x | ''            | 400 | resourceVersion: Invalid value: "x"
          """)
  void optionsThatMakeNoSenseAreRefused(
      String version, String match, int code, String message) { // API-51
    var options = new ListOptions("", "", version, match, 0, "", Optional.empty(), false);
    var refusal = refusal(list(options));
    assertThat(refusal.code()).isEqualTo(code);
    assertThat(refusal.message()).contains(message);
  }

  @Test
  void initialEventsAreForWatches() {
    var options = new ListOptions("", "", "", "", 0, "", Optional.of(true), false);
    assertThat(refusal(list(options)).message())
        .isEqualTo(
            "ListOptions.meta.k8s.io \"\" is invalid: sendInitialEvents: Forbidden:"
                + " sendInitialEvents is forbidden for list");
  }

  @Test
  void aBrokenTokenIsRefused() {
    assertThat(refusal(list(ListOptions.ALL.page(1, "nonsense"))).code()).isEqualTo(400);
  }

  private Answer list(ListOptions options) {
    return list("", options);
  }

  private Answer list(String namespace, ListOptions options) {
    return world.ask(new Request.List(CONFIG_MAPS, namespace, options));
  }

  /// A list on a server that still knows `moment`.
  private Answer listThen(State moment, ListOptions options) {
    return new Reading(
            world.state(),
            (_, revision) -> revision == moment.revision() ? Optional.of(moment) : Optional.empty())
        .list(new Request.List(CONFIG_MAPS, "", options));
  }

  private static Answer.Page page(Answer answer) {
    return (Answer.Page) answer;
  }

  private static Refusal refusal(Answer answer) {
    return ((Answer.Refused) answer).refusal();
  }

  private static List<String> names(Answer.Page page) {
    var names = new ArrayList<String>();
    page.items().forEach(item -> names.add(item.key().name()));
    return names;
  }
}
