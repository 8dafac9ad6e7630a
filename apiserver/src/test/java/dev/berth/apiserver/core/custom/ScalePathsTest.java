package dev.berth.apiserver.core.custom;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.apiserver.core.World;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// API-118: a Scale says which pods it is about, as autoscalers read it.
class ScalePathsTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "{matchLabels: {b: '2', a: '1'}} | a=1,b=2",
        "{matchExpressions: [{key: z, operator: NotIn, values: [y, x]}, {key: q, operator:"
            + " Exists}]} | q,z notin (x,y)",
        "{matchLabels: {a: '1'}, matchExpressions: [{key: b, operator: In, values: [c]}, {key: d,"
            + " operator: DoesNotExist}]} | a=1,b in (c),!d",
        "{app: web, tier: x} | app=web,tier=x",
        "a text | a text",
      })
  void aSelectorIsAText(String selector, String text) {
    var paths =
        ScalePaths.of(
                World.yaml(
                    "{specReplicasPath: .spec.replicas, statusReplicasPath: .status.replicas,"
                        + " labelSelectorPath: .spec.selector}"))
            .orElseThrow();
    var object = World.yaml("{spec: {replicas: 1, selector: %s}}".formatted(selector));
    assertThat(paths.show(object).at("/status/selector").asText()).isEqualTo(text);
  }
}
