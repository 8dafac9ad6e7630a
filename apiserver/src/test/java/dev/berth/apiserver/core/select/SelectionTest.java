package dev.berth.apiserver.core.select;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.apiserver.core.World;
import dev.berth.kube.object.Resources;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SelectionTest {
  private static final String POD =
      """
      metadata: {name: web, namespace: default, labels: {app: web, tier: front, gen: "7"}}
      spec: {nodeName: node-a}
      status: {phase: Running}
      """;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          ''                        | true
          app=web                   | true
          app==web                  | true
          app = web , tier = front  | true
          app=db                    | false
          app!=db                   | true
          zone!=a                   | true
          app in (db, web)          | true
          app in (db)               | false
          app notin (db)            | true
          zone notin (a)            | true
          app                       | true
          zone                      | false
          !zone                     | true
          !app                      | false
          gen>6                     | true
          gen<6                     | false
          app=web,app in (a,web),!b | true
          app=                      | false
          """)
  void labels(String selector, boolean admitted) throws Exception { // API-92
    assertThat(Selection.of(Resources.PODS, Optional.empty(), selector, "").admits(World.yaml(POD)))
        .isEqualTo(admitted);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          ''                                     | true
          metadata.name=web                      | true
          metadata.name==web                     | true
          metadata.name!=web                     | false
          spec.nodeName=node-a,status.phase!=Failed | true
          spec.nodeName=                         | false
          status.podIP=                          | true
          spec.hostNetwork=false                 | true
          spec.host=node-a                       | true
          """)
  void fields(String selector, boolean admitted) throws Exception {
    assertThat(Selection.of(Resources.PODS, Optional.empty(), "", selector).admits(World.yaml(POD)))
        .isEqualTo(admitted);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          app=a b    | found 'b', expected: ',' or 'end of string'
          app=a,     | found '', expected: identifier after ','
          !app=a     | found '=', expected: ',' or 'end of string'
          app in (a  | unable to parse requirement: found '', expected: ',' or ')'
          app in a   | unable to parse requirement: found 'a' expected: '('
          app near a | unable to parse requirement: found 'near', expected: in, notin, =, ==, !=, gt, lt
          =a         | found '=', expected: !, identifier, or 'end of string'
          """)
  void brokenLabelSelectors(String selector, String message) { // API-92
    assertThatThrownBy(() -> Selection.of(Resources.PODS, Optional.empty(), selector, ""))
        .hasMessage(message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          pods | spec.foo=a | field label not supported: spec.foo
          volumes | spec.foo=a | "spec.foo" is not a known field selector: only "metadata.name", "metadata.namespace"
          pods | spec | invalid selector: 'spec'; can't understand 'spec'
          """)
  void brokenFieldSelectors(String kind, String selector, String message) {
    var resource = kind.equals("pods") ? Resources.PODS : Resources.VOLUMES;
    assertThatThrownBy(() -> Selection.of(resource, Optional.empty(), "", selector))
        .hasMessage(message);
  }
}
