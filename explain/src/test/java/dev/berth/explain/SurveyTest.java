package dev.berth.explain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.explain.answer.Explanation;
import dev.berth.explain.answer.Sight;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// All that is stuck, at a glance (XPL-23).
class SurveyTest {
  @Test
  void equalCausesAreToldOnce() throws IOException {
    var edits = new ArrayList<String>();
    for (var name : List.of("one", "two"))
      edits.add(
          "+ {apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: %s, namespace: shop, uid: %s, creationTimestamp: '2026-01-01T00:01:00Z'}, spec: {accessModes: [ReadWriteOnce], storageClassName: fats, resources: {requests: {storage: 1Gi}}}, status: {phase: Pending}}"
              .formatted(name, name));
    var survey = survey("class-is-misspelt", edits, "shop");
    assertThat(survey.causes()).hasSize(1);
    assertThat(survey.lines(World.NOW))
        .anyMatch(line -> line.startsWith("Likewise: ") && line.contains("claim/two -n shop"))
        .last()
        .asString()
        .endsWith("4 stuck for 1 reasons, 0 go on by themselves");
    assertThat(survey.verdict()).isEqualTo(Explanation.Verdict.BLOCKED);
    assertThat(survey.json(Sight.NONE).path("causes").path(0).path("id").asText()).isEqualTo("C02");
  }

  @Test
  void aHealthyClusterHasNothingToTell() throws IOException { // XPL-22
    var survey = survey("healthy", List.of(), "");
    assertThat(survey.causes()).isEmpty();
    assertThat(survey.verdict().exitCode()).isZero();
  }

  @Test
  void anotherNamespaceIsNotLookedAt() throws IOException {
    assertThat(survey("class-is-misspelt", List.of(), "elsewhere").looked()).isZero();
  }

  private static Survey survey(String world, List<String> edits, String namespace)
      throws IOException {
    var objects = World.named(world).objects(edits);
    return Survey.of(new Explainer(objects), objects, namespace, World.NOW);
  }
}
