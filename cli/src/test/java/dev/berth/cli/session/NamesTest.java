package dev.berth.cli.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.apiserver.core.state.Kinds;
import dev.berth.apiserver.core.state.Served;
import dev.berth.cli.Problem;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.FieldSource;

/// Kinds by the words that people type (API-04): all that the API server keeps.
class NamesTest {
  static final List<Served> KINDS = Kinds.builtIn().all();

  @ParameterizedTest
  @FieldSource("KINDS")
  void eachKindHasEachOfItsNames(Served kind) {
    var resource = kind.resource();
    var group = resource.group().isEmpty() ? "" : "." + resource.version() + "." + resource.group();
    var words =
        Stream.concat(Stream.of(resource.plural(), kind.singular()), kind.shortNames().stream());
    for (var word : words.toList()) {
      assertThat(Names.kind(word + group)).isEqualTo(resource);
      assertThat(Names.isBuiltIn(word)).isTrue();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "ev, events, ''",
    "events.events.k8s.io, events, events.k8s.io",
    "SVC, services, ''",
    "ing, ingresses, networking.k8s.io",
    "vs, volumesnapshots, snapshot.storage.k8s.io"
  })
  void ofTwoTheCoreGroupsIsMeant(String word, String plural, String group) {
    assertThat(Names.kind(word).plural()).isEqualTo(plural);
    assertThat(Names.kind(word).group()).isEqualTo(group);
  }

  @Test
  void whatNobodyKeepsIsSaidSo() {
    assertThatThrownBy(() -> Names.kind("frob"))
        .isInstanceOf(Problem.class)
        .hasMessageContaining("no kind \"frob\"; there are namespaces, ");
    assertThat(Names.isBuiltIn("vs")).isFalse();
  }
}
